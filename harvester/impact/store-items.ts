import type { Db } from "../persist/db.js";
import { iterateJudgeable, sampleJudgeable, surveyJudgeable } from "../persist/judgeable.js";
import type { ImpactRecords } from "./impact.js";

/** The records and the quarantine of a store. Reads only, takes no hold: a run may go on beside it. */
export function storeItems(db: Db): ImpactRecords {
  return {
    async survey(sources) {
      const found = await surveyJudgeable(
        db,
        sources.map(({ name }) => name),
      );
      return found.map(({ name, prefix, records, quarantined, policies }) => ({
        name,
        prefix,
        items: records + quarantined,
        policies,
      }));
    },
    all: (name) => iterateJudgeable(db, name),
    sample: (names, wish) => sampleJudgeable(db, names, wish),
  };
}

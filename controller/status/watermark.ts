import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { CursorMove, FinishedRun } from "../run.js";
import { parseAddress } from "../../source/address.js";

/**
 * Up to where everything of the source is committed, after a run: the oldest of its cursors. It stays as it is when the run
 * does not tell of each of them (its report was cut, it failed before it knew), or told of something that is not asked for
 * any more. It goes back only when the run itself found its cursors further back: another address, another format, a new set.
 */
export function watermarkAfter(
  before: string | undefined,
  run: FinishedRun,
  spec: HarvestSourceSpec,
): string | undefined {
  const cursors = cursorsOf(run, spec);
  if (cursors === undefined) return before;
  const reached = oldest(cursors.map(({ after }) => after));
  if (before === undefined) return reached;
  const stood = oldest(cursors.map((cursor) => cursor.before));
  const beganEarlier = stood === undefined || isBefore(stood, before);
  return beganEarlier || (reached !== undefined && !isBefore(reached, before)) ? reached : before;
}

/** One cursor for each set that is asked for; undefined when one is missing, or they are those of another question. */
function cursorsOf(run: FinishedRun, spec: HarvestSourceSpec): readonly CursorMove[] | undefined {
  if (run.prefix !== undefined && run.prefix !== spec.metadataPrefix) return undefined;
  if (run.endpoint !== undefined && place(run.endpoint) !== place(spec.baseUrl)) return undefined;
  const wanted: readonly string[] = spec.sets ?? [""];
  const found = wanted.flatMap((set) => run.cursors.filter((cursor) => cursor.set === set).slice(0, 1));
  return found.length === wanted.length ? found : undefined;
}

/** Without parameters and query: a run tells its address without what may be secret. */
function place(address: string): string {
  return (parseAddress(address)?.href ?? address).replace(/[?;#].*$/s, "");
}

/** Undefined when one of them has no time: then nothing is known to be committed there. */
function oldest(times: readonly (string | undefined)[]): string | undefined {
  const [first, ...rest] = times;
  return rest.reduce<string | undefined>(
    (least, time) =>
      least === undefined || time === undefined ? undefined : isBefore(time, least) ? time : least,
    first,
  );
}

function isBefore(one: string, two: string): boolean {
  return Date.parse(one) < Date.parse(two);
}

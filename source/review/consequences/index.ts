import { ceilings } from "./ceilings.js";
import { cluster } from "./cluster.js";
import { collisions } from "./collisions.js";
import type { ConsequenceRule } from "./consequence-rule.js";
import { credentials } from "./credentials.js";
import { deletions } from "./deletions.js";
import { gates } from "./gates.js";
import { limits } from "./limits.js";
import { policyFiles } from "./policy-files.js";
import { politeness } from "./politeness.js";
import { reading, transformMissing } from "./reading.js";
import { restAndLabels } from "./rest-and-labels.js";
import { schedules } from "./schedules.js";
import { sets } from "./sets.js";
import { sources } from "./sources.js";
import { transport } from "./transport.js";
import { windows } from "./windows.js";

/** What is asked of every change. The result is sorted, so the order here says nothing. */
export const consequenceRules: readonly ConsequenceRule[] = [
  sources,
  restAndLabels,
  reading,
  transformMissing,
  sets,
  windows,
  policyFiles,
  gates,
  deletions,
  ceilings,
  politeness,
  schedules,
  collisions,
  transport,
  credentials,
  limits,
  cluster,
];

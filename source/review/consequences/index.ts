import type { ConsequenceRule } from "./consequence-rule.js";
import { sourceSet } from "./source-set.js";

/** What is asked of every change. The result is sorted, so the order here says nothing. */
export const consequenceRules: readonly ConsequenceRule[] = [sourceSet];

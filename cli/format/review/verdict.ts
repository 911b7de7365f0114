import { plural } from "../words.js";
import type { ShownReview } from "./shown-review.js";

/** "1 source changes, 1 is removed: 1 error, 2 warnings." The first thing a reader sees. */
export function verdict({ counts, consequences, noEffect }: ShownReview): string {
  const { added, changed, renamed, removed, errors, warnings } = counts;
  const parts = [
    { n: changed, one: "changes", many: "change" },
    { n: added, one: "is added", many: "are added" },
    { n: renamed, one: "gets another name", many: "get another name" },
    { n: removed, one: "is removed", many: "are removed" },
  ].filter(({ n }) => n > 0);
  const said = parts.map(({ n, one, many }, i) => {
    const subject = i === 0 ? plural(n, "source") : n.toLocaleString("en-US");
    return `${subject} ${n === 1 ? one : many}`;
  });
  const what = said.length > 0 ? said.join(", ") : nothing(consequences.length, noEffect.length);
  return `${what}: ${plural(errors, "error")}, ${plural(warnings, "warning")}.`;
}

function nothing(consequences: number, noEffect: number): string {
  if (consequences > 0) return "No source changes, but what is around them does";
  return noEffect > 0 ? "No source changes; only texts without effect differ" : "No source changes";
}

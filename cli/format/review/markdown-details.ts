import { plural } from "../words.js";
import { code, fenced, html, prose } from "./escape.js";
import type { Section } from "./fit.js";
import type { ShownChange, ShownLive, ShownReview } from "./shown-review.js";
import { fieldLine } from "./field-words.js";
import { yamlDiff, type TextPair } from "./yaml-diff.js";

/** Fields of one source; a source that is written anew has the rest in its YAML. */
const MAX_FIELDS = 60;
/** Less is not worth a fold. */
const MIN_YAML = 400;
const MAX_YAML = 8000;

/** Field by field, defaults said. */
export function fieldSection({ changes, noEffect }: ShownReview): Section {
  const items = changes.map((change) => () => changeLines(change));
  if (noEffect.length > 0) items.push(() => noEffectLine(noEffect));
  return {
    head: "### Field by field\n",
    items,
    joint: "\n",
    left: (n) => `… and ${plural(n, "more source")}: the JSON of the review has all fields.`,
    share: 0.5,
  };
}

function changeLines(change: ShownChange): string {
  const { kind, key, file, renamedFrom, movedFrom, fields, files } = change;
  const marks = [
    kind === "changed" ? [] : [kind],
    renamedFrom === undefined ? [] : [`was ${code(renamedFrom)}`],
    movedFrom === undefined ? [] : [`was in ${code(movedFrom)}`],
  ].flat();
  const head = `- ${code(key)} in ${code(file)}${marks.length === 0 ? "" : ` (${marks.join(", ")})`}`;
  const lines = fields.slice(0, MAX_FIELDS).map((field) => fieldLine(field, code));
  const more = fields.length - lines.length;
  if (more > 0) lines.push(`… and ${plural(more, "more field")}`);
  const policy = files.map((each) => `${code(each.path)} ${each.kind}`);
  return [head, ...[...lines, ...policy].map((line) => `  - ${line}`)].join("\n");
}

function noEffectLine(files: readonly string[]): string {
  const shown = files.slice(0, 10).map((file) => code(file));
  const more = files.length > shown.length ? ` and ${String(files.length - shown.length)} more` : "";
  return `- No effective change (comments, order or place only): ${shown.join(", ")}${more}`;
}

/** What the cluster said: edits nobody reviewed, and what the API server would say. */
export function liveSection({ live }: ShownReview): Section {
  const told = (live ?? []).filter(({ drift, dryRun }) => drift.length > 0 || dryRun !== undefined);
  return {
    head: "### The cluster now\n",
    items: told.map((facts) => () => liveLines(facts)),
    joint: "\n",
    left: (n) => `… and ${plural(n, "more source")}.`,
    share: 0.4,
  };
}

function liveLines({ source, drift, dryRun }: ShownLive): string {
  const accepted = dryRun?.accepted === true ? "would be accepted" : "**would be refused**";
  const verdict = dryRun === undefined ? "was not asked" : accepted;
  const edits = drift.map(({ field, base, live, manager, time }) => {
    const who = manager === undefined ? "" : ` by ${code(manager)}`;
    const when = time === undefined ? "" : ` at ${code(time)}`;
    return `differs already: ${fieldLine({ field, before: base, after: live, beforeIsDefault: false, afterIsDefault: false }, code)}${who}${when}`;
  });
  const said = (dryRun?.messages ?? []).slice(0, 10).map((message) => prose(message, 500));
  return [`- ${code(source)}: the head ${verdict}`, ...[...edits, ...said].map((line) => `  - ${line}`)].join(
    "\n",
  );
}

/** The texts themselves, folded. */
export function yamlSection(texts: ReadonlyMap<string, TextPair>): Section {
  return {
    head: "",
    items: [...texts].map(
      ([file, pair]) =>
        (room: number) =>
          yamlFold(file, { pair, room }),
    ),
    joint: "\n\n",
    left: (n) => `The YAML of ${plural(n, "file")} is left out for lack of room: git diff shows it.`,
    share: 1,
  };
}

function yamlFold(
  file: string,
  { pair, room }: { readonly pair: TextPair; readonly room: number },
): string | undefined {
  const open = `<details><summary>YAML of <code>${html(file)}</code></summary>\n\n`;
  const close = "\n\n</details>";
  // Fences grow with what they hold: 200 for them and the sentence about the rest.
  const most = Math.min(room, MAX_YAML) - open.length - close.length - 200;
  if (most < MIN_YAML) return undefined;
  const lines = yamlDiff(pair);
  const kept = firstLines(lines, most);
  const block = fenced(kept.join("\n"), "diff");
  const rest = lines.length - kept.length;
  const left = rest === 0 ? "" : `\n\n… and ${plural(rest, "more line")}.`;
  const text = open + block + left + close;
  return text.length <= room ? text : undefined;
}

function firstLines(lines: readonly string[], most: number): readonly string[] {
  let used = 0;
  const end = lines.findIndex((line) => {
    used += line.length + 1;
    return used > most;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

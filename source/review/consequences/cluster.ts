import type { Path } from "../../yaml/node-place.js";
import type { Consequence } from "../consequence.js";
import type { LiveDrift, LiveFacts } from "../facts.js";
import { valueText } from "../figures.js";
import type { ReviewInput } from "../review-input.js";
import type { SourceChange } from "../source-change.js";
import { knownKey } from "../source-key.js";
import { tellAt, type ConsequenceRule } from "./consequence-rule.js";

/** The server may say a great deal; the first messages are the reason. */
const MAX_MESSAGES = 3;
const MAX_MESSAGE = 300;

/** What a cluster says of the sources that this change touches. */
export const cluster: ConsequenceRule = (input) =>
  input.changes
    .filter(({ kind }) => kind !== "unchanged")
    .flatMap((change) => [...drift(change, input), ...refusal(change, input)]);

function drift(change: SourceChange, input: ReviewInput): readonly Consequence[] {
  const edits = input.facts.live?.get(knownKey(change))?.drift ?? [];
  const located = change.kind === "removed" ? change.base : change.head;
  return edits.map((edit) =>
    tellAt(located.place(pathOf(edit.field)), change.key, {
      id: "drift-overwritten",
      sentence: `In the cluster ${valueText(edit.field)} of ${change.key} is ${textOf(edit.live)} instead of ${textOf(edit.base)}${whoAndWhen(edit)}; the merge ${change.kind === "removed" ? "removes it" : "overwrites it"}.`,
      remedy: "Ask who changed it, and take it into the manifest if it is right.",
    }),
  );
}

function textOf(value: unknown): string {
  return value === undefined ? "absent" : valueText(JSON.stringify(value));
}

function whoAndWhen({ manager, time }: LiveDrift): string {
  const who = manager === undefined ? "" : ` by ${valueText(manager)}`;
  const when = time === undefined ? "" : ` at ${valueText(time)}`;
  return who === "" && when === "" ? "" : ` (changed${who}${when})`;
}

/** Good enough to find the line: steps into lists end at the list. */
function pathOf(field: string): Path {
  return field.replace(/\[.*$/s, "").split(".");
}

function refusal(change: SourceChange, input: ReviewInput): readonly Consequence[] {
  if (change.kind === "removed") return [];
  const answer = liveOf(change, input)?.dryRun;
  if (answer === undefined || answer.accepted) return [];
  const messages = answer.messages.slice(0, MAX_MESSAGES).map((message) => valueText(message, MAX_MESSAGE));
  const more = answer.messages.length - messages.length;
  const said = messages.length === 0 ? "without a reason" : messages.join("; ");
  return [
    tellAt(change.head.place(["metadata", "name"]), change.key, {
      id: "server-refuses",
      sentence: `The API server would refuse ${change.key}: ${said}${more > 0 ? ` (and ${String(more)} more)` : ""}.`,
    }),
  ];
}

/** The server is asked about the head, so the answer stands under its key; a renamed source may have either. */
function liveOf(change: SourceChange, { facts }: ReviewInput): LiveFacts | undefined {
  return facts.live?.get(change.key) ?? facts.live?.get(knownKey(change));
}

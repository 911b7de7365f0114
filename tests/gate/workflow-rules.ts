/** What our workflows and actions must keep beyond their grammar. Each rule answers with what breaks it. */
import { isMap, isScalar, isSeq, parseDocument, visit, type Node, type Scalar } from "yaml";

export interface Breach {
  readonly rule: string;
  readonly line: number;
  readonly what: string;
}

const ownAction = /^\.\/|^\{\{action\}\}/;
const pinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

/** `text`: of a workflow or an action.yml. */
export function breaches(text: string): readonly Breach[] {
  const document = parseDocument(text);
  const found: Breach[] = [];
  function add(rule: string, node: Node, what: string): void {
    found.push({ rule, line: text.slice(0, node.range?.[0] ?? 0).split("\n").length, what });
  }
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key)) return;
      if (key.value === "uses" && isScalar(value)) usesRule(value, add);
      if (key.value === "run" && isScalar(value)) runRule(value, add);
      if (key.value === "with" && isMap(value)) checkoutRule(value.get("ref", true), add);
    },
  });
  const root = document.contents;
  if (isMap(root) && root.has("jobs"))
    permissionRules(root.toJSON() as Workflow, (rule, what) => add(rule, root, what));
  if (isMap(root) && isMap(root.get("runs"))) shellRule(root.getIn(["runs", "steps"], true), add);
  return found;
}

type Add = (rule: string, node: Node, what: string) => void;

function usesRule(value: Scalar, add: Add): void {
  const uses = String(value.value);
  if (ownAction.test(uses)) return;
  if (!pinned.test(uses)) add("pinned", value, uses);
  else if (!/^ v\d+\.\d+\.\d+$/.test(value.comment ?? "")) add("version-said", value, uses);
}

/** A value in the text of a command is program: whoever writes a title or a branch name would write commands. */
function runRule(value: Scalar, add: Add): void {
  const text = String(value.value);
  for (const [expression] of text.matchAll(/\$\{\{.*?\}\}/gs)) add("no-expression-in-run", value, expression);
  if (/\bcurl\b[^\n]*\|\s*(ba)?sh\b/.test(text)) add("no-piped-script", value, text);
}

function checkoutRule(ref: unknown, add: Add): void {
  if (isScalar(ref) && /github\.(event|head_ref)/.test(String(ref.value)))
    add("no-foreign-checkout", ref, String(ref.value));
}

function shellRule(steps: unknown, add: Add): void {
  if (!isSeq(steps)) return;
  for (const step of steps.items)
    if (isMap(step) && step.has("run") && step.get("shell") !== "bash")
      add("shell-bash", step, String(step.get("name")));
}

interface Workflow {
  readonly on: unknown;
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: unknown; readonly "timeout-minutes"?: unknown }>
  >;
}

function permissionRules(
  { on, permissions, concurrency, jobs }: Workflow,
  add: (rule: string, what: string) => void,
): void {
  if (JSON.stringify(on).includes("pull_request_target")) add("no-pull-request-target", "on");
  if (permissions === undefined) add("permissions", "the workflow");
  for (const [where, given] of [
    ["the workflow", permissions],
    ...Object.entries(jobs).map(([name, job]) => [name, job.permissions]),
  ])
    if (typeof given === "string") add("permissions", `${String(where)}: ${given}`);
  if (concurrency === undefined) add("concurrency", "the workflow");
  for (const [name, job] of Object.entries(jobs))
    if (job["timeout-minutes"] === undefined) add("timeout", name);
}

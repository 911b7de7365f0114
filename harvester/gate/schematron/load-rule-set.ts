/** One .sch with its includes to a rule set that runs, or RuleSetRefused with the place. */
import { readSource, type SourceElement } from "../../xml/source-tree.js";
import { type RuleSetModel } from "./model.js";
import { readModel } from "./read-model.js";
import { RuleSetRefused } from "./refused.js";
import { resolveIncludes } from "./resolve.js";
import { type RuleSet } from "./rule-set.js";
import { compileForXPath1 } from "./xpath1/compile.js";

export interface RuleSetSource {
  /** Path of the .sch in `files`. */
  readonly entry: string;
  /** The policy bundle: path to bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Absent: the rule set's own default, else all patterns. `#ALL` and `#DEFAULT` as in ISO 19757-3 §5.4.11. */
  readonly phase?: string;
}

type Binding = (model: RuleSetModel, phase: string | undefined) => RuleSet;

/** queryBinding to the engine that runs it. Without one it is xslt (ISO 19757-3 §6.4). */
const BINDINGS: Readonly<Record<string, Binding>> = {
  "": compileForXPath1,
  xslt: compileForXPath1,
  xpath: compileForXPath1,
};

/** Throws RuleSetRefused. */
export function loadRuleSet(source: RuleSetSource): RuleSet {
  const top = { file: source.entry, line: 0 };
  const schema = resolveIncludes(
    open(source.files, source.entry, () => new RuleSetRefused(top, "The file is not in the policy folder.")),
    (path, from) =>
      open(
        source.files,
        path,
        () =>
          new RuleSetRefused(from, `${path} is included, but there is no such file in the policy folder.`),
      ),
  );
  const model = readModel(schema);
  const binding = Object.hasOwn(BINDINGS, model.queryBinding) ? BINDINGS[model.queryBinding] : undefined;
  if (binding === undefined) {
    throw new RuleSetRefused(
      model,
      `The query binding "${model.queryBinding}" is not supported: this engine runs xslt and xpath (XPath 1.0). Rewrite the rules for XPath 1.0 and set queryBinding="xslt".`,
    );
  }
  return binding(model, source.phase);
}

function open(
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
  absent: () => RuleSetRefused,
): SourceElement {
  const bytes = files.get(path);
  if (bytes === undefined) throw absent();
  const read = readSource(path, bytes);
  if (read.kind === "read") return read.root;
  const [first] = read.problems;
  throw new RuleSetRefused(
    { file: path, line: first?.line ?? 0 },
    `The file is not well-formed XML: ${first?.message ?? "unreadable"}.`,
  );
}

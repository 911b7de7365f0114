/** What every query binding makes of a model, so that the gate does not care which one it was. */
import { type Violation } from "../../record.js";
import { type ParsedDocument } from "../../xml/parse.js";

export interface RuleSet {
  /** Violations in the order of the rules, at most `limit` of them. A rule that fails to run is one too, never a pass. */
  check(document: ParsedDocument, limit: number): readonly Violation[];
  dispose(): void;
}

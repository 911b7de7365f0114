import type { Finding } from "../finding.js";
import type { YamlDocument } from "../yaml/documents.js";
import type { Edit } from "./edit.js";
import type { NodeAt } from "./node-at.js";

/** A finding and the node it points to. */
export interface Broken {
  readonly finding: Finding;
  readonly at: NodeAt;
  readonly document: YamlDocument;
  readonly text: string;
}

/** Mends one finding, or gives undefined where more than one thing can be meant. */
export type Fixer = (broken: Broken) => Edit | undefined;

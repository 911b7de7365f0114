/** What the mapping of one format answers, before places are told. */
import type { CanonicalRecord } from "../canonical.js";
import type { XmlElement } from "../xml/tree.js";
import type { Remarks } from "./remarks.js";

export type Mapped =
  | { readonly kind: "mapped"; readonly canonical: CanonicalRecord; readonly remarks: Remarks }
  | { readonly kind: "unmappable"; readonly rule: string; readonly message: string; readonly at: XmlElement };

/** Finding the record: by root element and namespace, never by what a source is configured to send. */
import { descendants } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { attributeNames, GMD, GMI } from "./names.js";

const OAI = "http://www.openarchives.org/OAI/2.0/";
const CSW = ["http://www.opengis.net/cat/csw/2.0.2", "http://www.opengis.net/cat/csw/3.0"];
const GMX = "http://www.isotc211.org/2005/gmx";

export type FoundRoot = { readonly metadata: XmlElement } | { readonly reason: string };

/** The MD_Metadata or MI_Metadata of a payload, out of its wrapper where it has one. */
export function findMetadata(root: XmlElement): FoundRoot {
  if (isMetadata(root)) return { metadata: root };
  if (!isWrapper(root)) return { reason: notIso(root) };
  for (const element of descendants(root)) {
    if (isMetadata(element)) return { metadata: element };
  }
  return { reason: `<${root.tag}> holds no MD_Metadata or MI_Metadata.` };
}

function isMetadata(element: XmlElement): boolean {
  const { namespace, name, attributes } = element;
  if (name === "MD_Metadata" && namespace === GMD) return true;
  if (name === "MI_Metadata" && namespace === GMI) return true;
  // A national profile names its own element and says which one it stands for (ISO 19139 §A.3).
  return /(?:^|:)M[DI]_Metadata$/.test(attributes.get(attributeNames.isoType) ?? "");
}

function isWrapper({ namespace, name }: XmlElement): boolean {
  if (namespace === GMD) return name.startsWith("DS_");
  if (namespace === GMX) return name.startsWith("MX_");
  return namespace === OAI || CSW.includes(namespace);
}

function notIso(root: XmlElement): string {
  if (/^http:\/\/standards\.iso\.org\/iso\/19115\/-3\/mdb\//.test(root.namespace)) {
    return `The record is ISO 19115-3 (<${root.tag}>), not ISO 19139.`;
  }
  if (root.name === "metadata" && root.children.some((element) => element.name === "idinfo")) {
    return "The record is FGDC CSDGM (<metadata> with <idinfo>), not ISO 19139.";
  }
  const namespace = root.namespace === "" ? "no namespace" : `the namespace ${root.namespace.slice(0, 200)}`;
  return `The root element is <${root.tag.slice(0, 100)}> in ${namespace}, not MD_Metadata or MI_Metadata.`;
}

/** Follows sch:include and sch:extends with href (ISO 19757-3 §5.4.3, §5.4.7), within bounds and inside the bundle. */
import { resolveReference } from "../../xml/references.js";
import { childElements, type SourceElement } from "../../xml/source-tree.js";
import { RuleSetRefused } from "./refused.js";

export const SCHEMATRON = "http://purl.oclc.org/dsdl/schematron";

/** Gives the root element of a file of the bundle; throws RuleSetRefused. `from`: where it is asked for. */
export type OpenSource = (path: string, from: SourceElement) => SourceElement;

const MAX_DEPTH = 20;
const ID_NAMES = ["id", "{http://www.w3.org/XML/1998/namespace}id"];

/** The element with everything it includes in place. */
export function resolveIncludes(element: SourceElement, open: OpenSource, depth = 0): SourceElement {
  if (depth > MAX_DEPTH)
    throw new RuleSetRefused(
      element,
      `Includes lie more than ${String(MAX_DEPTH)} deep: does a file include itself?`,
    );
  const children = element.children.flatMap((child): (SourceElement | string)[] => {
    if (typeof child === "string") return [child];
    if (child.namespace !== SCHEMATRON) return [child];
    const href = child.attributes.get("href");
    if (href === undefined || !(child.name === "include" || child.name === "extends"))
      return [resolveIncludes(child, open, depth)];
    const target = resolveIncludes(find(href, child, open), open, depth + 1);
    // An include puts the element itself in place; an extends puts in what the element holds.
    return child.name === "include" ? [target] : [...target.children];
  });
  return { ...element, children };
}

/** `href`: a relative path, with `#id` for one element of the file. */
function find(href: string, from: SourceElement, open: OpenSource): SourceElement {
  const [path = "", fragment] = href.split("#");
  const file = path === "" ? from.file : resolveReference(from.file, path);
  if (file === undefined) {
    throw new RuleSetRefused(
      from,
      `"${path}" is not a path inside the policy folder: rule sets read nothing else.`,
    );
  }
  const root = open(file, from);
  if (fragment === undefined || fragment === "") return root;
  const found = byId(root, fragment);
  if (found === undefined)
    throw new RuleSetRefused(from, `${href} is included, but no element there has the id "${fragment}".`);
  return found;
}

function byId(element: SourceElement, id: string): SourceElement | undefined {
  if (ID_NAMES.some((name) => element.attributes.get(name) === id)) return element;
  for (const child of childElements(element, SCHEMATRON)) {
    const found = byId(child, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a policy file says it needs: imports of schemas, includes of rule sets. One reading for loading and for routing. */
import { childElements, type SourceElement } from "./source-tree.js";

const XSD = "http://www.w3.org/2001/XMLSchema";
const SCHEMATRON = "http://purl.oclc.org/dsdl/schematron";

export interface Reference {
  /** As written, without a fragment. */
  readonly href: string;
  readonly line: number;
  /** The namespace an xs:import names; that of the file itself for include and redefine. */
  readonly namespace: string;
}

/** Files that a schema or rule set names; none for anything else. */
export function referencesOf(root: SourceElement): readonly Reference[] {
  if (root.namespace === XSD)
    return childElements(root, XSD).flatMap((child) => schemaReference(child, root));
  return schematronReferences(root);
}

/** "" = none. */
export function targetNamespace(schema: SourceElement): string {
  return schema.attributes.get("targetNamespace") ?? "";
}

/**
 * The path in the bundle a relative reference means, seen from the file it stands in; undefined when it is absolute,
 * has a scheme, or leads above the bundle.
 */
export function resolveReference(from: string, href: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(href)) return undefined;
  const path = from.split("/").slice(0, -1);
  for (const part of decoded(href).split("/")) {
    if (part === "..") {
      if (path.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") path.push(part);
  }
  return path.join("/");
}

function schemaReference(child: SourceElement, root: SourceElement): readonly Reference[] {
  if (!["import", "include", "redefine"].includes(child.name)) return [];
  const href = child.attributes.get("schemaLocation");
  if (href === undefined) return [];
  const namespace =
    child.name === "import" ? (child.attributes.get("namespace") ?? "") : targetNamespace(root);
  return [{ href, line: child.line, namespace }];
}

function schematronReferences(element: SourceElement): readonly Reference[] {
  return childElements(element, SCHEMATRON).flatMap((child) => {
    const href = child.attributes.get("href")?.split("#")[0] ?? "";
    const refers = href !== "" && (child.name === "include" || child.name === "extends");
    return [...(refers ? [{ href, line: child.line, namespace: "" }] : []), ...schematronReferences(child)];
  });
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

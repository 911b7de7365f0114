/** Moving down a tree by paths written once, so that a mapping reads like a table. */
import type { XmlElement } from "./tree.js";

/** One step: any of these namespaces with this local name; no namespaces = any element. */
interface Step {
  readonly namespaces: readonly string[];
  readonly name: string;
}

export type TreePath = readonly Step[];

/**
 * A compiler of paths such as `gmd:citation/gmd:CI_Citation/gmd:title` for a fixed meaning of prefixes. A prefix may stand for
 * several namespaces (GML has two); prefixes of the source play no part. Throws when a path uses an unknown prefix.
 */
export function pathsOver(prefixes: Readonly<Record<string, readonly string[]>>): (text: string) => TreePath {
  function step(text: string): Step {
    if (text === "*") return { namespaces: [], name: "*" };
    const [prefix = "", name = ""] = text.split(":");
    const namespaces = prefixes[prefix];
    if (namespaces === undefined || name === "")
      throw new Error(`The path step '${text}' has no known prefix.`);
    return { namespaces, name };
  }
  return function compile(text: string): TreePath {
    return text.split("/").map(step);
  };
}

/** All elements at the path, in document order. */
export function all(from: XmlElement, path: TreePath): readonly XmlElement[] {
  let found: readonly XmlElement[] = [from];
  for (const step of path) {
    const next: XmlElement[] = [];
    for (const element of found) collect(element, step, next);
    if (next.length === 0) return next;
    found = next;
  }
  return found;
}

/** The first element at the path in document order. */
export function first(from: XmlElement, path: TreePath): XmlElement | undefined {
  return all(from, path)[0];
}

/** The first child with this name, in any of the namespaces. */
export function child(from: XmlElement, namespaces: readonly string[], name: string): XmlElement | undefined {
  return from.children.find((element) => element.name === name && namespaces.includes(element.namespace));
}

/** Every element below, and itself, in document order; deep trees cost no stack. */
export function* descendants(from: XmlElement): Generator<XmlElement, void, void> {
  const waiting: XmlElement[] = [from];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    yield element;
    for (let index = element.children.length - 1; index >= 0; index--) {
      const below = element.children[index];
      if (below !== undefined) waiting.push(below);
    }
  }
}

function collect(element: XmlElement, step: Step, into: XmlElement[]): void {
  for (const below of element.children) {
    if (
      step.namespaces.length === 0 ||
      (below.name === step.name && step.namespaces.includes(below.namespace))
    ) {
      into.push(below);
    }
  }
}

/**
 * Where elements stand, as `/a/b[2]/c` with the source's own prefixes. One walk for all of them, so that telling
 * places costs nothing until something is wrong.
 */
export function placesOf(root: XmlElement, wanted: ReadonlySet<XmlElement>): ReadonlyMap<XmlElement, string> {
  const places = new Map<XmlElement, string>();
  const waiting: { element: XmlElement; place: string }[] = [{ element: root, place: `/${root.tag}` }];
  for (let next = waiting.pop(); next !== undefined && places.size < wanted.size; next = waiting.pop()) {
    if (wanted.has(next.element)) places.set(next.element, next.place);
    const totals = countTags(next.element);
    const seen = new Map<string, number>();
    for (const element of next.element.children) {
      const nth = (seen.get(element.tag) ?? 0) + 1;
      seen.set(element.tag, nth);
      const index = (totals.get(element.tag) ?? 1) > 1 ? `[${String(nth)}]` : "";
      waiting.push({ element, place: `${next.place}/${element.tag}${index}` });
    }
  }
  return places;
}

function countTags(element: XmlElement): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const { tag } of element.children) totals.set(tag, (totals.get(tag) ?? 0) + 1);
  return totals;
}

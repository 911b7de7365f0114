/** What the API server refuses by a CEL rule of the CRD, and what source/cel says of the same text, in one form to compare. */
import { parse } from "yaml";
import { crdVerdicts } from "../../source/cel/crd-verdicts.js";
import { crdRules } from "../../source/cel/rules.generated.js";
import { parseManifests } from "../../source/parse.js";
import type { Answer } from "../setup/cluster-http.js";

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** `field: message` of each rule the server refused for; undefined when it did not come to ask them. */
export function serverRefusals({ status, json }: Answer): readonly string[] | undefined {
  if (status === 201) return [];
  const { causes = [] } = (json?.["details"] ?? {}) as { causes?: readonly Cause[] };
  const asked =
    status === 422 &&
    causes.length > 0 &&
    !causes.some(({ message = "" }) => message.includes("some validation rules were not checked"));
  if (!asked) return undefined;
  const refusals = causes.flatMap(({ field = "", message = "" }) => {
    const rule = crdRules.find((each) => message.endsWith(each.message));
    return rule === undefined ? [] : [`${field}: ${rule.message}`];
  });
  return refusals.sort();
}

/** The same by source/cel. The server asks the rules also of an object whose schema it refuses for a pattern or a range. */
export function celRefusals(text: string, good: string): readonly string[] {
  const refusals = crdVerdicts(withDefaults(text, good)).map(
    ({ at, message }) => `${at.join(".")}: ${message}`,
  );
  return refusals.sort();
}

function withDefaults(text: string, good: string): object {
  const [located] = parseManifests(text, { file: "a.yaml", named: true }).sources;
  if (located !== undefined) return located.source;
  const [template] = parseManifests(good, { file: "good.yaml", named: true }).sources;
  return overlay(template!.source, parse(text)) as object;
}

function overlay(below: unknown, above: unknown): unknown {
  if (above === undefined || above === null) return below;
  if (!isObject(below) || !isObject(above)) return above;
  const names = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...names].map((name) => [name, overlay(below[name], above[name])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { parseFairUse } from "../fair-use.js";
import type { Finding } from "../finding.js";
import { parseManifests } from "../parse.js";
import type { PolicyTree } from "./policy-tree.js";

export interface TestTree {
  readonly label?: string;
  /** Text of each file of manifests, by path. */
  readonly manifests: Readonly<Record<string, string>>;
  /** rules/fair-use.yaml. */
  readonly fairUse?: string;
  /** Path → anything that stands for its content. */
  readonly policyFiles?: Readonly<Record<string, string>>;
  readonly closures?: Readonly<Record<string, readonly string[]>>;
  /** Path → owners. */
  readonly owners?: Readonly<Record<string, readonly string[]>>;
  readonly findings?: readonly Finding[];
}

/** A side of a review, made of texts; for tests alone. */
export function treeOf(wish: TestTree): PolicyTree {
  const parsed = Object.entries(wish.manifests).map(([file, text]) =>
    parseManifests(text, { file, named: true }),
  );
  const broken = parsed.flatMap(({ findings }) => findings).filter(({ severity }) => severity === "error");
  if (broken[0] !== undefined)
    throw new RangeError(`A manifest of the test is broken: ${broken[0].sentence}`);
  const fairUse =
    wish.fairUse === undefined ? undefined : parseFairUse(wish.fairUse, "rules/fair-use.yaml").fairUse;
  return {
    label: wish.label ?? "test",
    sources: parsed.flatMap(({ sources }) => sources),
    findings: wish.findings ?? [],
    ...(fairUse === undefined ? {} : { fairUse }),
    policyFiles: new Map(Object.entries(wish.policyFiles ?? {})),
    closures: new Map(Object.entries(wish.closures ?? {})),
    texts: new Map(Object.entries(wish.manifests)),
    ownersOf: (file) => wish.owners?.[file] ?? [],
  };
}

/** A manifest of this name with these lines of spec, two spaces deep. */
export function manifest(name: string, spec: Readonly<Record<string, unknown>> = {}): string {
  const filled = {
    baseUrl: "https://a.example/oai",
    metadataPrefix: "iso19139",
    schedule: "0 */6 * * *",
    ...spec,
  };
  const lines = Object.entries(filled).map(([field, value]) => `  ${field}: ${JSON.stringify(value)}`);
  return [
    "apiVersion: ingest.geoportal.io/v1",
    "kind: HarvestSource",
    "metadata:",
    `  name: ${name}`,
    "spec:",
    ...lines,
    "",
  ].join("\n");
}

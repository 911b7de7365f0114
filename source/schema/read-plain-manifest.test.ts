import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDocuments } from "../yaml/documents.js";
import { readManifest } from "./read-manifest.js";
import { readPlainManifest } from "./read-plain-manifest.js";

const folder = join(import.meta.dirname, "../../manifests/sources");
const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

describe("a plain manifest", () => {
  it.each(names)("%s is the same source at the same places", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const plain = readPlainManifest(text, name)!;
    const [full] = readManifest(readDocuments(text, name).documents[0]!).sources;
    expect(plain.source).toEqual(full?.source);
    for (const path of [["metadata", "name"], ["spec", "schedule"], ["spec", "backoff", "jitter"], []])
      expect(plain.place(path)).toEqual(full?.place(path));
  });

  it.each([
    { name: "another kind", change: (text: string) => text.replace("HarvestSource", "ConfigMap") },
    { name: "a field of the cluster", change: (text: string) => `${text}\nstatus: { ok: "yes" }\n` },
    { name: "an unknown field", change: (text: string) => text.replace("spec:", "spec:\n  what: 1") },
  ])("is not what $name is in", ({ change }) => {
    const text = readFileSync(join(folder, "harbor-library.yaml"), "utf8");
    expect(readPlainManifest(change(text), "m.yaml")).toBeUndefined();
  });
});

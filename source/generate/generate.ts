/**
 * Program: writes the types and the JSON Schema of a manifest from the CRD, or with --check tells whether they are stale.
 * Exit code 0: written, or up to date; 1: stale; anything else: the CRD could not be read.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crdPath, generatedFiles } from "./generated-files.js";

const root = join(import.meta.dirname, "../..");
const check = process.argv.includes("--check");

for (const file of generatedFiles(readFileSync(join(root, crdPath), "utf8"))) {
  const path = join(root, file.path);
  if (!check) writeFileSync(path, file.text);
  else if (current(path) !== file.text) {
    process.stderr.write(`${file.path} is stale: ${crdPath} says something else. Run: npm run generate\n`);
    process.exitCode = 1;
  }
}

/** The file as it is, or nothing when it is not there. */
function current(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

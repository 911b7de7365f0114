/**
 * Program: writes the types, the JSON Schema and the CEL rules of a manifest from the CRD and the admission policies, or
 * with --check tells whether they are stale.
 * Exit code 0: written, or up to date; 1: stale; anything else: the CRD could not be read.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crdPath, generatedFiles, policyPaths } from "./generated-files.js";

const root = join(import.meta.dirname, "../..");
const check = process.argv.includes("--check");

for (const file of generatedFiles(read(crdPath), policyPaths.map(read))) {
  const path = join(root, file.path);
  if (!check) writeFileSync(path, file.text);
  else if (current(path) !== file.text) {
    process.stderr.write(
      `${file.path} is stale: the CRD or an admission policy says something else. Run: npm run generate\n`,
    );
    process.exitCode = 1;
  }
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The file as it is, or nothing when it is not there. */
function current(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

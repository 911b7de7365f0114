/**
 * affected.mjs DIFF.JSON: prints the files of the sources that a change touches, one a line; nothing = none is.
 * Exit code 1 when the review does not tell: then everything is to be tried.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * @param {any} review what harvestctl diff --format json writes
 * @returns {string[] | undefined} sorted, each once; undefined = it cannot be told
 */
export function affectedFiles(review) {
  if (!Array.isArray(review?.rows) || !Array.isArray(review?.changes)) return undefined;
  const files = new Map(review.changes.map((change) => [change.key, fileOf(change)]));
  const touched = review.rows.filter(
    ({ kind, what }) => kind !== "removed" && (kind !== "unchanged" || what.length > 0),
  );
  const found = touched.map((row) => fileOf(row) ?? files.get(row.key));
  if (found.some((file) => typeof file !== "string" || /[\r\n]/.test(file))) return undefined;
  return [...new Set(found)].sort();
}

function fileOf({ file, head }) {
  return file ?? head?.file;
}

function main(path) {
  let files;
  try {
    files = affectedFiles(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    files = undefined;
  }
  if (files === undefined) process.exitCode = 1;
  else process.stdout.write(files.map((file) => `${file}\n`).join(""));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2] ?? "");

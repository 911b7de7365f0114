import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Third-party records, schemas and rule sets that tests read but the repository does not contain.
 * Found in HARVEST_TEST_DATA, else in ../shared/data beside the checkout.
 */
const root = process.env["HARVEST_TEST_DATA"] ?? join(import.meta.dirname, "../../../shared/data");

/** The path of a file or folder of the test data, or undefined when this machine does not have it. */
export function testData(...path: string[]): string | undefined {
  const full = join(root, ...path);
  return existsSync(full) ? full : undefined;
}

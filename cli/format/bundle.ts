import type { Difference } from "../bundle-check.js";
import type { Theme } from "./colour.js";
import { bytes, count, plural } from "./words.js";

export interface BundleFacts {
  readonly name: string;
  readonly digest: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly unpackedBytes: number;
  readonly packedBytes: number;
  /** Of the 1 MiB a ConfigMap holds, to a tenth. */
  readonly percentOfLimit: number;
  readonly warnings: readonly string[];
}

/** What was packed, and how near to the limit that is. */
export function bundleText(facts: BundleFacts, theme: Theme): string {
  const { name, digest, files, unpackedBytes, packedBytes, percentOfLimit } = facts;
  return [
    ...facts.warnings.map((warning) => `${theme.warn("warning")}  ${warning}`),
    `${theme.strong(name)}: ${plural(files.length, "file")}, ${bytes(unpackedBytes)}, packed ${bytes(packedBytes)} (${percentOfLimit.toFixed(1)} % of what a ConfigMap holds)`,
    `  digest  ${digest}`,
  ].join("\n");
}

/** A file of the repository against the policy beside it. */
export function checkText(file: string, differences: readonly Difference[], theme: Theme): string {
  if (differences.length === 0) return `${file} is ${theme.good("up to date")}.`;
  return [
    `${file} is ${theme.bad("stale")}: ${plural(differences.length, "difference")} from the policy.`,
    ...differences.slice(0, MOST).map((one) => `  ${lineOf(one, theme)}`),
    ...(differences.length > MOST ? [`  … and ${count(differences.length - MOST)} more`] : []),
    "Write it anew with harvestctl bundle --out, and commit it together with the change.",
  ].join("\n");
}

const MOST = 100;

function lineOf(difference: Difference, theme: Theme): string {
  switch (difference.kind) {
    case "added":
      return `${theme.good("+")} ${difference.path}`;
    case "changed":
      return `${theme.warn("~")} ${difference.path}`;
    case "removed":
      return `${theme.bad("-")} ${difference.path}`;
    case "other":
      return `${theme.bad("!")} ${difference.sentence}`;
  }
}

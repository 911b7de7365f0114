/**
 * code-quality.mjs LINT.SARIF: the findings as GitLab's code quality report (docs.gitlab.com, "Code Quality report format"),
 * so that they stand beside the lines of a merge request.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const severities = { error: "critical", warning: "minor", note: "info" };

/** @param {any} sarif SARIF 2.1.0 of harvestctl lint */
export function codeQuality(sarif) {
  return (sarif.runs ?? []).flatMap(({ results = [] }) => results.map(issueOf));
}

function issueOf({ ruleId, level, message, locations, partialFingerprints = {} }) {
  const { artifactLocation, region } = locations[0].physicalLocation;
  const path = decodeURIComponent(artifactLocation.uri);
  const begin = region?.startLine ?? 1;
  const [known = String(begin)] = Object.values(partialFingerprints);
  return {
    description: message.text,
    check_name: ruleId,
    fingerprint: `${ruleId}:${path}:${known}`,
    severity: severities[level] ?? "info",
    location: { path, lines: { begin } },
  };
}

function main(path) {
  const issues = codeQuality(JSON.parse(readFileSync(path, "utf8")));
  process.stdout.write(`${JSON.stringify(issues, undefined, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2] ?? "");

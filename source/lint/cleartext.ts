import { hostOf } from "../host.js";
import { eachSource, findingAt, type LintRule } from "./lint-rule.js";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Without TLS anybody on the way can read and change records; on the same machine there is no way. */
export const cleartext: LintRule = eachSource((located) => {
  const { baseUrl } = located.source.spec;
  if (!baseUrl.startsWith("http://") || LOOPBACK.test(hostOf(located.source) ?? "")) return [];
  return [
    findingAt(located, ["spec", "baseUrl"], {
      rule: "transport/cleartext",
      severity: "warning",
      sentence: "This source is asked without TLS: records can be read and changed on the way.",
      remedy: "Use https:// if the agency offers it.",
    }),
  ];
});

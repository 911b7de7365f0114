import { baseUrlRules, isProxyUrl } from "./address-rules.js";
import type { Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import type { CrossFieldRule } from "./cross-field-rule.js";
import { eachSource, findingAt, type LintRule } from "./lint-rule.js";

/** The CEL rules of the CRD (x-kubernetes-validations) again, so that lint says before what admission would say after. */
export const crossFieldRules: readonly CrossFieldRule[] = [
  {
    rule: "name/too-long",
    path: ["metadata", "name"],
    message:
      "metadata.name may have at most 44 characters: its CronJob is called harvest-<name>, and a CronJob's name may have 52",
    remedy: "Shorten it.",
    holds: (_, { metadata }) => metadata.name.length <= 44,
  },
  ...baseUrlRules,
  {
    rule: "transport/mtls-needs-https",
    path: ["spec", "transport", "mtls"],
    message: "transport.mtls needs a baseUrl that starts with https://",
    remedy: "Use https, or remove transport.mtls.",
    holds: ({ transport, baseUrl }) => !transport.mtls || isHttps(baseUrl),
  },
  {
    rule: "transport/ca-needs-https",
    path: ["spec", "transport", "caSecretName"],
    message: "transport.caSecretName needs a baseUrl that starts with https://",
    remedy: "Use https, or remove transport.caSecretName.",
    holds: ({ transport, baseUrl }) => transport.caSecretName === undefined || isHttps(baseUrl),
  },
  {
    rule: "transport/headers-need-https",
    path: ["spec", "transport", "headersSecretName"],
    message:
      "transport.headersSecretName needs a baseUrl that starts with https://, or the secret headers would travel in the clear",
    remedy: "Use https.",
    holds: ({ transport, baseUrl }) => transport.headersSecretName === undefined || isHttps(baseUrl),
  },
  {
    rule: "transport/certificate-needs-mtls",
    path: ["spec", "transport", "clientCertificate"],
    message: "transport.clientCertificate is used only with transport.mtls true",
    remedy: "Add mtls: true, or remove clientCertificate.",
    holds: ({ transport }) => transport.clientCertificate === undefined || transport.mtls,
  },
  {
    rule: "transport/proxy-url",
    path: ["spec", "transport", "proxyUrl"],
    message:
      "transport.proxyUrl must be an http or https address without user name, path or query, e.g. http://proxy.example.gov:3128",
    remedy: "Write scheme, host and port only.",
    holds: ({ transport }) => transport.proxyUrl === undefined || isProxyUrl(transport.proxyUrl),
  },
  {
    rule: "transport/timeout-order",
    path: ["spec", "transport", "timeouts", "requestSeconds"],
    message: "transport.timeouts.requestSeconds covers the whole request, so no other timeout may be longer",
    remedy: "Raise requestSeconds, or lower the others.",
    holds: ({ transport: { timeouts } }) =>
      Math.max(timeouts.connectSeconds, timeouts.firstByteSeconds, timeouts.idleSeconds) <=
      timeouts.requestSeconds,
  },
  {
    rule: "deletions/no-tombstones-in-snapshot",
    path: ["spec", "deletions", "policy"],
    message:
      "deletions.policy tombstones cannot work with delta.mode snapshot, which reads no tombstones; use auto or snapshot",
    remedy: "Change one of the two.",
    holds: ({ delta, deletions }) => delta.mode !== "snapshot" || deletions.policy !== "tombstones",
  },
  {
    rule: "backoff/initial-over-max",
    path: ["spec", "backoff", "initialMs"],
    message: "backoff.initialMs must not be greater than backoff.maxMs",
    remedy: "Lower initialMs, or raise maxMs.",
    holds: ({ backoff }) => backoff.initialMs <= backoff.maxMs,
  },
  {
    rule: "limits/record-over-page",
    path: ["spec", "limits", "maxRecordBytes"],
    message: "limits.maxRecordBytes must not be greater than limits.maxPageBytes",
    remedy: "Lower maxRecordBytes, or raise maxPageBytes.",
    holds: ({ limits }) => limits.maxRecordBytes <= limits.maxPageBytes,
  },
];

/** Fields that fit each other. */
export const crossField: LintRule = eachSource(crossFieldFindings);

/** Of one source. A run asks this too: admission is not everywhere, and a pod must not start on less. */
export function crossFieldFindings(located: LocatedSource): readonly Finding[] {
  return crossFieldRules
    .filter((rule) => !rule.holds(located.source.spec, located.source))
    .map(({ rule, path, message, remedy }) =>
      findingAt(located, path, { rule, severity: "error", sentence: `${message}.`, remedy }),
    );
}

function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith("https://");
}

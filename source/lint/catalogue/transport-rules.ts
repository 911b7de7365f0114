import { firm, soft, type CatalogueRule } from "./catalogue-rule.js";

/** How an agency is asked: the first six stand in the CRD too. */
export const transportRules: readonly CatalogueRule[] = [
  {
    ...firm,
    id: "transport/mtls-needs-https",
    title: "mtls over http",
    explanation: "A client certificate is shown while TLS begins; over http there is no TLS.",
    fix: "Use https, or remove transport.mtls.",
    wrong: "spec:\n  baseUrl: http://metadata.example.gov/oai\n  transport: { mtls: true }",
    right: "spec:\n  baseUrl: https://metadata.example.gov/oai\n  transport: { mtls: true }",
  },
  {
    ...firm,
    id: "transport/ca-needs-https",
    title: "caSecretName over http",
    explanation: "A certificate authority is asked about certificates; over http there are none.",
    fix: "Use https, or remove transport.caSecretName.",
    wrong: "spec:\n  baseUrl: http://metadata.example.gov/oai\n  transport: { caSecretName: agency-ca }",
    right: "spec:\n  baseUrl: https://metadata.example.gov/oai\n  transport: { caSecretName: agency-ca }",
  },
  {
    ...firm,
    id: "transport/headers-need-https",
    title: "headersSecretName over http: secrets in the clear",
    explanation: "Everybody on the way could read the secret headers, and use them.",
    fix: "Use https.",
    wrong:
      "spec:\n  baseUrl: http://metadata.example.gov/oai\n  transport: { headersSecretName: agency-key }",
    right:
      "spec:\n  baseUrl: https://metadata.example.gov/oai\n  transport: { headersSecretName: agency-key }",
  },
  {
    ...firm,
    id: "transport/certificate-needs-mtls",
    title: "clientCertificate without mtls: true",
    explanation: "The certificate would never be shown.",
    fix: "Add mtls: true, or remove clientCertificate.",
    wrong: "spec:\n  transport:\n    clientCertificate: { secretName: agency-client }",
    right: "spec:\n  transport:\n    mtls: true\n    clientCertificate: { secretName: agency-client }",
  },
  {
    ...firm,
    id: "transport/proxy-url",
    title: "proxyUrl with user name, path or query",
    explanation: "A proxy is asked at its host and port; a password in a manifest is read by everybody.",
    fix: "Write scheme, host and port only.",
    wrong: "spec:\n  transport: { proxyUrl: http://proxy.example.gov:3128/path }",
    right: "spec:\n  transport: { proxyUrl: http://proxy.example.gov:3128 }",
  },
  {
    ...firm,
    id: "transport/timeout-order",
    title: "a timeout longer than requestSeconds",
    explanation:
      "requestSeconds covers the whole request: a longer part of it would never end by its own bound.",
    fix: "Raise requestSeconds, or lower the others.",
    wrong: "spec:\n  transport: { timeouts: { requestSeconds: 60, idleSeconds: 120 } }",
    right: "spec:\n  transport: { timeouts: { requestSeconds: 600, idleSeconds: 120 } }",
  },
  {
    ...soft,
    id: "transport/cleartext",
    title: "http to another machine",
    explanation: "Without TLS anybody on the way can read and change records.",
    fix: "Use https:// if the agency offers it.",
    wrong: "spec:\n  baseUrl: http://metadata.example.gov/oai",
    right: "spec:\n  baseUrl: https://metadata.example.gov/oai",
  },
  {
    ...soft,
    id: "delta/no-overlap",
    title: "overlapSeconds: 0",
    explanation:
      "A record that becomes visible a moment after its datestamp, or under a clock that is behind, is lost for ever.",
    fix: "Use 300, unless the repository's datestamps are known to be exact.",
    wrong: "spec:\n  delta: { overlapSeconds: 0 }",
    right: "spec:\n  delta: { overlapSeconds: 300 }",
  },
];

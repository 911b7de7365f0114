/** What lint calls the CRD's rules: their ids are stable (docs/lint-rules.md), and a remedy has no place in the CRD. */
export interface CrossFieldId {
  readonly rule: string;
  readonly remedy: string;
  /** Told by another rule of lint, at the letter that is wrong or with a suggestion: not told twice. */
  readonly elsewhere?: true;
}

/** By the message of the rule in the CRD; a test finds the rule that has none, and the one that is no more. */
export const crossFieldIds: Readonly<Record<string, CrossFieldId>> = {
  "metadata.name may have at most 44 characters: its CronJob is called harvest-<name>, and a CronJob's name may have 52":
    { rule: "name/too-long", remedy: "Shorten it." },
  "baseUrl must be an absolute http or https address, e.g. https://metadata.example.gov/oai": {
    rule: "endpoint/address",
    remedy: "Copy the address from the repository's own description, with http:// or https:// before it.",
  },
  "baseUrl must not carry a user name or password; put credentials into a secret and name it in transport.headersSecretName":
    {
      rule: "endpoint/user-info",
      remedy:
        "Remove what stands before the @, and change that password: it is in the history of this repository.",
    },
  "baseUrl must not carry a fragment (#...): it is never sent to a server": {
    rule: "endpoint/fragment",
    remedy: "Remove it.",
  },
  "baseUrl must not carry OAI-PMH arguments (verb, metadataPrefix, set, ...): the harvester adds them itself":
    {
      rule: "endpoint/oai-arguments",
      remedy: "Remove them; the prefix stands in spec.metadataPrefix, sets in spec.sets.",
    },
  "transport.mtls needs a baseUrl that starts with https://": {
    rule: "transport/mtls-needs-https",
    remedy: "Use https, or remove transport.mtls.",
  },
  "transport.caSecretName needs a baseUrl that starts with https://": {
    rule: "transport/ca-needs-https",
    remedy: "Use https, or remove transport.caSecretName.",
  },
  "transport.headersSecretName needs a baseUrl that starts with https://, or the secret headers would travel in the clear":
    { rule: "transport/headers-need-https", remedy: "Use https." },
  "transport.clientCertificate is used only with transport.mtls true": {
    rule: "transport/certificate-needs-mtls",
    remedy: "Add mtls: true, or remove clientCertificate.",
  },
  "transport.proxyUrl must be an http or https address without user name, path or query, e.g. http://proxy.example.gov:3128":
    { rule: "transport/proxy-url", remedy: "Write scheme, host and port only." },
  "transport.timeouts.requestSeconds covers the whole request, so no other timeout may be longer": {
    rule: "transport/timeout-order",
    remedy: "Raise requestSeconds, or lower the others.",
  },
  "deletions.policy tombstones cannot work with delta.mode snapshot, which reads no tombstones; use auto or snapshot":
    { rule: "deletions/no-tombstones-in-snapshot", remedy: "Change one of the two." },
  "backoff.initialMs must not be greater than backoff.maxMs": {
    rule: "backoff/initial-over-max",
    remedy: "Lower initialMs, or raise maxMs.",
  },
  "limits.maxRecordBytes must not be greater than limits.maxPageBytes": {
    rule: "limits/record-over-page",
    remedy: "Lower maxRecordBytes, or raise maxPageBytes.",
  },
  "schedule must not carry TZ= or CRON_TZ=; use timeZone": {
    rule: "schedule/syntax",
    remedy: "Write the zone into spec.timeZone.",
    elsewhere: true,
  },
  "schedule must be five cron fields (minute hour day month weekday), @hourly, @daily, @weekly, @monthly, @yearly, or @every with a duration such as 6h":
    { rule: "schedule/syntax", remedy: "Write it in one of these forms.", elsewhere: true },
  "timeZone must be the name of an IANA time zone, e.g. Etc/UTC or America/Chicago": {
    rule: "schedule/time-zone",
    remedy: "Use an IANA name.",
    elsewhere: true,
  },
  "concurrency.requestsPerSecond must be greater than 0": {
    rule: "schema/range",
    remedy: "Write a greater number, or remove the line.",
    elsewhere: true,
  },
};

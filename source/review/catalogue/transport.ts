import type { CatalogueEntry } from "./entry.js";

/** The connection to the source, and what is too much of it. */
export const transportEntries = [
  {
    id: "tls-floor-lowered",
    title: "An older TLS version is spoken",
    severities: ["warning"],
    told: "`transport.minTlsVersion` falls.",
    means: "Connections that were refused are made. Some rules of compliance forbid it.",
    todo: "Only when the agency's server speaks nothing newer; note when that ends.",
  },
  {
    id: "tls-floor-raised",
    title: "Older TLS versions are refused",
    severities: ["info"],
    told: "`transport.minTlsVersion` rises.",
    means: "A server that does not speak it cannot be harvested any more.",
    todo: "Try it with `harvestctl dry-run --live --limit 1`.",
  },
  {
    id: "mtls-off",
    title: "The client certificate is no longer shown",
    severities: ["warning"],
    told: "`transport.mtls` becomes false.",
    means: "A server that demands one refuses every run; one that does not cannot know any more who asks.",
    todo: "Check with the agency that it is not needed.",
  },
  {
    id: "mtls-on",
    title: "A client certificate is shown",
    severities: ["info"],
    told: "`transport.mtls` becomes true.",
    means: "The named secret must be in the namespace before the next run, or the pod does not start.",
    todo: "Put the secret in place before merging.",
  },
  {
    id: "credentials-changed",
    title: "Other secrets are used",
    severities: ["warning"],
    told: "The name of a secret in `transport` changes: client certificate, authority, or headers.",
    means:
      "The secret of the new name must be in the namespace before the next run. Without `caSecretName` only public authorities are trusted.",
    todo: "Put the secret in place before merging, and remove the old one afterwards.",
  },
  {
    id: "private-network-allowed",
    title: "Private addresses may be asked",
    severities: ["warning"],
    told: "`transport.allowPrivateNetwork` becomes true.",
    means:
      "The source's name, or a redirect, may lead into our own network: metadata services, databases, consoles.",
    todo: "Only for a source that really stands inside.",
  },
  {
    id: "private-network-closed",
    title: "Private addresses are refused",
    severities: ["info"],
    told: "`transport.allowPrivateNetwork` becomes false.",
    means: "A source that stands on a private address cannot be harvested any more.",
    todo: "Nothing for a public source.",
  },
  {
    id: "redirect-origins-widened",
    title: "Redirects may lead to more places",
    severities: ["warning"],
    told: "`transport.allowedRedirectOrigins` gets an origin more.",
    means: "Whoever holds that origin can answer for the agency. Credentials never travel there.",
    todo: "Check who runs it. A permanent move belongs into `baseUrl`.",
  },
  {
    id: "redirect-origins-narrowed",
    title: "Redirects may lead to fewer places",
    severities: ["info"],
    told: "`transport.allowedRedirectOrigins` loses an origin.",
    means: "A redirect that leads there ends the run.",
    todo: "Try it with `harvestctl dry-run --live --limit 1`.",
  },
  {
    id: "proxy-changed",
    title: "Requests go another way",
    severities: ["warning"],
    told: "`transport.proxyUrl` is set, changed, or taken out.",
    means: "The agency sees another address of ours; its allow-list, and our network policy, must fit.",
    todo: "Tell the agency the new address before merging.",
  },
  {
    id: "timeouts-changed",
    title: "Other waits for answers",
    severities: ["info"],
    told: "A field of `transport.timeouts` changes.",
    means:
      "Too short breaks off slow servers again and again; too long holds a slot of the host for a dead one.",
    todo: "Compare with how long the last runs took.",
  },
  {
    id: "limits-lowered",
    title: "Less counts as too much",
    severities: ["warning"],
    told: "`limits.maxRecordBytes` or `limits.maxPageBytes` falls.",
    means:
      "Bigger records are quarantined; a bigger answer ends its request, so that a source whose pages are that big cannot be harvested at all.",
    todo: "Compare with the biggest records the source has.",
  },
  {
    id: "limits-raised",
    title: "More is taken before it is too much",
    severities: ["info"],
    told: "`limits.maxRecordBytes` or `limits.maxPageBytes` rises.",
    means: "A record is held in memory: the pod's limit must leave room for it.",
    todo: "Nothing below some tens of megabytes.",
  },
  {
    id: "run-time-shortened",
    title: "Runs must end earlier",
    severities: ["info", "warning"],
    told: "`limits.maxRunSeconds` falls. Warning when the last or longest run took longer than that.",
    means:
      "A run that is not done by then stops at a batch boundary and keeps what it has; the next one goes on there.",
    todo: "Leave it above the longest run, and above what a full harvest takes.",
  },
] as const satisfies readonly CatalogueEntry[];

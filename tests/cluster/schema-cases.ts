/** Manifests, good and bad, and where a bad one is refused: written by hand, asked of `lint` and of a real API server. */
import { parse, stringify } from "yaml";

export interface SchemaCase {
  readonly name: string;
  readonly text: string;
  /** Field the refusal is about; undefined = accepted. */
  readonly at: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const base = `
apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: state-metadata
spec:
  baseUrl: https://metadata.example.gov/oai
  metadataPrefix: oai_dc
  schedule: "0 */6 * * *"
`;

/** The good manifest with other fields of `spec` and, if need be, of the rest; undefined removes one. */
function manifest(spec: Fields, rest: Fields = {}): string {
  const good = parse(base) as { spec: Fields };
  return stringify({ ...good, ...rest, spec: { ...good.spec, ...spec } }, { keepUndefined: false });
}

function good(name: string, spec: Fields, rest?: Fields): SchemaCase {
  return { name, text: manifest(spec, rest), at: undefined };
}

function bad(name: string, at: string, spec: Fields): SchemaCase {
  return { name, text: manifest(spec), at };
}

/** Wrong outside `spec`. */
function badFrame(name: string, at: string, rest: Fields): SchemaCase {
  return { name, text: manifest({}, rest), at };
}

const of = (length: number): string => "a".repeat(length);
const named = (name: unknown): Fields => ({ metadata: { name } });

const wholes: readonly SchemaCase[] = [
  good("the least there can be", {}),
  good("every object empty", {
    ...{ delta: {}, deletions: {}, concurrency: {}, backoff: {}, token: {}, validation: {}, limits: {} },
    transport: { timeouts: {} },
  }),
  good("a name of 44 characters", {}, named(of(44))),
  badFrame("a name of 45 characters", "metadata.name", named(of(45))),
  badFrame("a name with capitals", "metadata.name", named("State")),
  badFrame("a name with an underscore", "metadata.name", named("state_metadata")),
  badFrame("a name that ends with a dash", "metadata.name", named("state-")),
  good("a name with a dot", {}, named("state.metadata")),
  good("a name that is all digits", {}, named("2024")),
  good(
    "labels and annotations",
    {},
    {
      metadata: {
        name: "t",
        labels: { "a.example/team": "geo" },
        annotations: { "a.example/x": "any text: {}" },
      },
    },
  ),
  badFrame("a label that is none", "metadata.labels", {
    metadata: { name: "t", labels: { team: "two words" } },
  }),
  badFrame("a label that is a number", "metadata.labels.team", {
    metadata: { name: "t", labels: { team: 7 } },
  }),
  badFrame("an annotation key that is none", "metadata.annotations", {
    metadata: { name: "t", annotations: { "a b": "x" } },
  }),
  bad("no baseUrl", "spec.baseUrl", { baseUrl: undefined }),
  bad("no metadataPrefix", "spec.metadataPrefix", { metadataPrefix: undefined }),
  bad("no schedule", "spec.schedule", { schedule: undefined }),
  bad("an unknown field", "spec.delta.overlapSecond", { delta: { overlapSecond: 300 } }),
  badFrame("an unknown field beside spec", "specs", { specs: {} }),
  badFrame("an unknown field of metadata", "metadata.lables", { metadata: { name: "t", lables: {} } }),
  bad("a list for spec.delta", "spec.delta", { delta: [] }),
  bad("a text for spec.delta", "spec.delta", { delta: "full" }),
  good("null for an object with a default", { delta: null }),
  good("null for a field without a default", { sets: null }),
  bad("null for a field that must be there", "spec.baseUrl", { baseUrl: null }),
  { name: "a key written twice", text: `${base}  suspend: true\n  suspend: false\n`, at: "spec.suspend" },
];

const addresses: readonly SchemaCase[] = [
  good("http", { baseUrl: "http://metadata.example.gov/oai" }),
  good("a port and a query", { baseUrl: "https://metadata.example.gov:8443/oai?repo=a&x=1" }),
  good("an IPv4 address", { baseUrl: "https://192.0.2.7/oai" }),
  good("an IPv6 address", { baseUrl: "https://[2001:db8::1]/oai" }),
  good("nothing but a host", { baseUrl: "https://metadata.example.gov" }),
  bad("no scheme", "spec.baseUrl", { baseUrl: "metadata.example.gov/oai" }),
  bad("ftp", "spec.baseUrl", { baseUrl: "ftp://metadata.example.gov/oai" }),
  bad("capitals in the scheme", "spec.baseUrl", { baseUrl: "HTTPS://metadata.example.gov/oai" }),
  bad("no host", "spec.baseUrl", { baseUrl: "https:///oai" }),
  bad("only a port", "spec.baseUrl", { baseUrl: "https://:443/oai" }),
  bad("white space", "spec.baseUrl", { baseUrl: "https://metadata.example.gov/o ai" }),
  bad("a user name", "spec.baseUrl", { baseUrl: "https://user:secret@metadata.example.gov/oai" }),
  good("an at sign in the path", { baseUrl: "https://metadata.example.gov/oai/@x" }),
  bad("a fragment", "spec.baseUrl", { baseUrl: "https://metadata.example.gov/oai#x" }),
  bad("OAI arguments", "spec.baseUrl", { baseUrl: "https://metadata.example.gov/oai?verb=Identify" }),
  good("an argument like an OAI one", { baseUrl: "https://metadata.example.gov/oai?proverb=x" }),
  bad("the empty text", "spec.baseUrl", { baseUrl: "" }),
  bad("a number", "spec.baseUrl", { baseUrl: 7 }),
  good("2048 characters", { baseUrl: `https://a.example/${of(2030)}` }),
  bad("2049 characters", "spec.baseUrl", { baseUrl: `https://a.example/${of(2031)}` }),
  bad("a broken percent sign", "spec.baseUrl", { baseUrl: "https://metadata.example.gov/%zz" }),
  bad("a rule of each kind at once", "spec.baseUrl", {
    baseUrl: "https://u:p@metadata.example.gov/oai?verb=x#y",
  }),
  bad("a port that is none", "spec.baseUrl", { baseUrl: "https://metadata.example.gov:port/oai" }),
];

const values: readonly SchemaCase[] = [
  bad("another protocol", "spec.protocol", { protocol: "csw" }),
  good("one set", { sets: ["water:rivers"] }),
  bad("no set at all", "spec.sets", { sets: [] }),
  bad("a set twice", "spec.sets[1]", { sets: ["a", "a"] }),
  bad("a set with a space", "spec.sets[0]", { sets: ["a b"] }),
  bad("an empty set", "spec.sets[0]", { sets: [""] }),
  good("256 sets", { sets: Array.from({ length: 256 }, (_, i) => `s${String(i)}`) }),
  bad("257 sets", "spec.sets", { sets: Array.from({ length: 257 }, (_, i) => `s${String(i)}`) }),
  bad("a text for a list", "spec.sets", { sets: "water" }),
  bad("a prefix with a space", "spec.metadataPrefix", { metadataPrefix: "oai dc" }),
  bad("a prefix of 65 characters", "spec.metadataPrefix", { metadataPrefix: of(65) }),
  good("a prefix with all that is allowed", { metadataPrefix: "A-z_0.9!~*'()" }),
  { name: "suspend in words", text: `${base}  suspend: "yes"\n`, at: "spec.suspend" },
  bad("suspend as a number", "spec.suspend", { suspend: 1 }),
  good("the widest spread", { scheduleSpreadMinutes: 720 }),
  bad("a spread too wide", "spec.scheduleSpreadMinutes", { scheduleSpreadMinutes: 721 }),
  bad("a fraction for a whole number", "spec.scheduleSpreadMinutes", { scheduleSpreadMinutes: 1.5 }),
  bad("a number in quotes", "spec.concurrency.maxRequests", { concurrency: { maxRequests: "2" } }),
  bad("maxRequests 0", "spec.concurrency.maxRequests", { concurrency: { maxRequests: 0 } }),
  bad("maxRequests 257", "spec.concurrency.maxRequests", { concurrency: { maxRequests: 257 } }),
  good("half a request a second", { concurrency: { requestsPerSecond: 0.5 } }),
  good("a whole number of requests a second", { concurrency: { requestsPerSecond: 2 } }),
  bad("no request a second", "spec.concurrency.requestsPerSecond", { concurrency: { requestsPerSecond: 0 } }),
  bad("hardly any request a second", "spec.concurrency.requestsPerSecond", {
    concurrency: { requestsPerSecond: 0.0009 },
  }),
  bad("a negative number", "spec.delta.overlapSeconds", { delta: { overlapSeconds: -1 } }),
  bad("an unknown mode", "spec.delta.mode", { delta: { mode: "From-Cursor" } }),
  bad("maxPercent 101", "spec.deletions.maxPercent", { deletions: { maxPercent: 101 } }),
  bad("an unknown policy", "spec.deletions.policy", { deletions: { policy: "keep" } }),
  bad("TLS 1.1", "spec.transport.minTlsVersion", { transport: { minTlsVersion: "1.1" } }),
  bad("TLS as a number", "spec.transport.minTlsVersion", { transport: { minTlsVersion: 1.3 } }),
  good("one schema", { validation: { xsd: "schemas/a.xsd" } }),
  good("several schemas", { validation: { xsd: ["schemas/a.xsd", "schemas/b.xsd"] } }),
  bad("a schema outside", "spec.validation.xsd", { validation: { xsd: "../a.xsd" } }),
  bad("an absolute schema", "spec.validation.xsd", { validation: { xsd: "/etc/a.xsd" } }),
  bad("a number for a schema", "spec.validation.xsd", { validation: { xsd: 7 } }),
  bad("a boolean for a schema", "spec.validation.schematron", { validation: { schematron: true } }),
  bad("a map for a schema", "spec.validation.xsd", { validation: { xsd: { path: "a.xsd" } } }),
  bad("a list with a number", "spec.validation.xsd[1]", { validation: { xsd: ["a.xsd", 7] } }),
  bad("an empty list of schemas", "spec.validation.xsd", { validation: { xsd: [] } }),
  bad("a secret's name with capitals", "spec.transport.caSecretName", {
    transport: { caSecretName: "Portal" },
  }),
  bad("a redirect with a path", "spec.transport.allowedRedirectOrigins[0]", {
    transport: { allowedRedirectOrigins: ["https://b.example/x"] },
  }),
  good("a big page", { limits: { maxPageBytes: 2147483648 } }),
  bad("too big a page", "spec.limits.maxPageBytes", { limits: { maxPageBytes: 2147483649 } }),
  bad("a number beyond all bounds", "spec.limits.maxPageBytes", { limits: { maxPageBytes: 1e30 } }),
];

const http = { baseUrl: "http://metadata.example.gov/oai" };
const across: readonly SchemaCase[] = [
  good("mTLS over https", { transport: { mtls: true } }),
  bad("mTLS over http", "spec.transport.mtls", { ...http, transport: { mtls: true } }),
  bad("an authority for http", "spec.transport.caSecretName", { ...http, transport: { caSecretName: "ca" } }),
  bad("secret headers over http", "spec.transport.headersSecretName", {
    ...http,
    transport: { headersSecretName: "key" },
  }),
  good("a certificate with mTLS", { transport: { mtls: true, clientCertificate: { secretName: "c" } } }),
  bad("a certificate without mTLS", "spec.transport.clientCertificate", {
    transport: { clientCertificate: { secretName: "c" } },
  }),
  good("a proxy", { transport: { proxyUrl: "http://proxy.example.gov:3128" } }),
  bad("a proxy with a path", "spec.transport.proxyUrl", {
    transport: { proxyUrl: "http://proxy.example.gov/x" },
  }),
  bad("a proxy with a password", "spec.transport.proxyUrl", {
    transport: { proxyUrl: "http://u:p@proxy.example.gov" },
  }),
  good("all timeouts alike", {
    transport: {
      timeouts: { connectSeconds: 60, firstByteSeconds: 60, idleSeconds: 60, requestSeconds: 60 },
    },
  }),
  bad("a request shorter than its first byte", "spec.transport.timeouts.requestSeconds", {
    transport: { timeouts: { firstByteSeconds: 61, requestSeconds: 60 } },
  }),
  bad("a request shorter than the default first byte", "spec.transport.timeouts.requestSeconds", {
    transport: { timeouts: { requestSeconds: 119 } },
  }),
  bad("tombstones in a snapshot", "spec.deletions.policy", {
    delta: { mode: "snapshot" },
    deletions: { policy: "tombstones" },
  }),
  good("tombstones in a full list", { delta: { mode: "full" }, deletions: { policy: "tombstones" } }),
  bad("back-off that begins beyond its end", "spec.backoff.initialMs", {
    backoff: { initialMs: 2, maxMs: 1 },
  }),
  bad("back-off that begins beyond the default end", "spec.backoff.initialMs", {
    backoff: { initialMs: 60001 },
  }),
  bad("a record bigger than its page", "spec.limits.maxRecordBytes", {
    limits: { maxRecordBytes: 4096, maxPageBytes: 2048 },
  }),
];

const times: readonly SchemaCase[] = [
  good("a zone", { timeZone: "America/Chicago" }),
  good("a zone of two parts more", { timeZone: "America/Argentina/Buenos_Aires" }),
  bad("no such zone", "spec.timeZone", { timeZone: "America/Springfield" }),
  bad("the zone of the machine", "spec.timeZone", { timeZone: "Local" }),
  bad("a zone in small letters", "spec.timeZone", { timeZone: "europe/berlin" }),
  bad("an offset", "spec.timeZone", { timeZone: "+02:00" }),
  bad("a path for a zone", "spec.timeZone", { timeZone: "../UTC" }),
  good("@daily", { schedule: "@daily" }),
  good("@every", { schedule: "@every 6h" }),
  bad("six fields", "spec.schedule", { schedule: "0 0 0 * * *" }),
  bad("four fields", "spec.schedule", { schedule: "0 0 * *" }),
  bad("a zone in the schedule", "spec.schedule", { schedule: "TZ=UTC 0 0 * * *" }),
  bad("@reboot", "spec.schedule", { schedule: "@reboot" }),
  bad("days in @every", "spec.schedule", { schedule: "@every 1d" }),
];

/** Words that are no text to the server, and maybe none to the writer. */
const word = (text: string): SchemaCase => ({
  name: `the set ${text}`,
  text: `${base}  sets: [a, ${text}]\n`,
  at: "spec.sets[1]",
});
const words: readonly SchemaCase[] = [
  ...["no", "On", "TRUE", "7", "1_000", "0x1F", "1e3", "0b11", "y", "N", "~", "010"].map(word),
  ...["1:30", "2024-01-01", "0x", "=", "1.2.3", "'no'", '"7"'].map((text) => ({
    ...word(text),
    at: undefined,
  })),
];

export const schemaCases: readonly SchemaCase[] = [
  ...wholes,
  ...addresses,
  ...values,
  ...across,
  ...times,
  ...words,
];

/**
 * Where lint is stricter on purpose. The API server reads YAML 1.1, in which the first words are booleans and numbers; the
 * reader of a manifest, and any YAML 1.2 parser, sees a text. What follows could be stored, and never be harvested.
 */
export const stricter: readonly (readonly [line: string, rule: string])[] = [
  ["suspend: yes", "schema/type"],
  ["suspend: Off", "schema/type"],
  ["limits: { maxRunSeconds: 1_000 }", "schema/type"],
  ["scheduleSpreadMinutes: 010", "yaml/ambiguous-number"],
  // In the IANA list to say that nobody has set a zone; the engine of the harvester has no such zone.
  ["timeZone: Factory", "schedule/time-zone"],
  // Go takes any number for a port, the harvester's URL does not.
  ["transport: { proxyUrl: 'http://proxy.example.gov:99999' }", "transport/proxy-url"],
];

export const withLine = (line: string): string => `${base}  ${line}\n`;

/** Schedules, and whether a CronJob may have them. */
export const schedules: readonly (readonly [schedule: string, accepted: boolean])[] = [
  ["0 */6 * * *", true],
  ["*-5 * * * ?", true],
  [" 0 0 * * * ", true],
  ["0 0 , * *", true],
  ["1,,2 * * * *", true],
  ["+5 * * * *", true],
  ["05 * * * *", true],
  ["0 0 * * sun-sat", true],
  ["@every 6h", true],
  ["@every 1.5h", true],
  ["@every +1h", true],
  ["@every 1h30m", true],
  ["@every 1.h", true],
  ["@every 1h1h", true],
  ["@midnight", true],
  ["@annually", true],
  ["*/61 * * * *", true],
  ["5/15 * * * *", true],
  ["? ? ? ? ?", true],
  ["*,5 * * * *", true],
  ["0 0 31 2 *", true],
  ["0-59/7 * * * *", true],
  ["0\t0\t*\t*\t*", true],
  ["0 0 * JAN-3 *", true],
  ["0 0 * 1-mar,DEC *", true],
  ["* * * * MON/2", true],
  ["0 0 * * 7", false],
  ["0 0 * * SAT-SUN", false],
  ["20-10 * * * *", false],
  ["@every  6h", false],
  ["@every 6h ", false],
  ["@every 6", false],
  ["@every 1d", false],
  ["@Hourly", false],
  ["@reboot", false],
  [" @hourly", false],
  ["0 0 L * *", false],
  ["0 0 15W * *", false],
  ["0 0 * * 5#1", false],
  ["H * * * *", false],
  ["0 0 0 * * *", false],
  ["0 0 * *", false],
  ["*/5/5 * * * *", false],
  ["*/0 * * * *", false],
  ["*/x * * * *", false],
  ["-5 * * * *", false],
  ["5- * * * *", false],
  ["1-2-3 * * * *", false],
  ["0 0 1-jan * *", false],
  ["0 0 0 * *", false],
  ["60 * * * *", false],
  ["0 24 * * *", false],
  ["0 0 * 13 *", false],
  ["0 0 * foo *", false],
  ["TZ=UTC 0 * * * *", false],
  ["CRON_TZ=UTC 0 * * * *", false],
];

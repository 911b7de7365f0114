/** The only door to the CEL library: an environment with the functions the server adds to CEL, as far as our rules use them. */
import { Environment } from "@marcbachmann/cel-js";
import { isTimeZone, zoneOffset } from "../cron/time-zone.js";
import { lowerAscii, trimSpace, upperAscii } from "./go-text.js";
import { hostnameOf, isGoUrl, parseGoUrl, portOf, queryOf, type GoUrl } from "./go-url.js";
import { parseIp, type IpAddress } from "./ip-address.js";
import { linearMatch } from "./linear-match.js";
import { inOwnNames } from "./server-names.js";

/** Values an expression sees, by name. Whole numbers are bigint (int of CEL), other numbers are double. */
export type Activation = Readonly<Record<string, unknown>>;

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  /** It could not be evaluated: no such zone, no such key, ... */
  | { readonly ok: false; readonly error: string };

export type Program = (activation: Activation) => Outcome;

/** The types of Kubernetes' url() and ip(), which the library tells apart by their class. */
class Url {
  readonly url: GoUrl;
  constructor(url: GoUrl) {
    this.url = url;
  }
}

class Ip {
  readonly ip: IpAddress;
  constructor(ip: IpAddress) {
    this.ip = ip;
  }
}

/** `dynamic`: names may be used without being declared, for evaluation; without it, for the type check. */
export function serverEnvironment(names: "dynamic" | "declared"): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: names === "dynamic",
    enableOptionalTypes: true,
  });
  return withAddresses(withTexts(environment));
}

/** Throws when the text is no CEL expression. What it is evaluated with may be anything: then it ends as a value. */
export function compile(expression: string): Program {
  const evaluate = evaluation().parse(inOwnNames(expression));
  return (activation) => {
    try {
      return { ok: true, value: evaluate(activation) as unknown };
    } catch (error) {
      return { ok: false, error: firstLine(error) };
    }
  };
}

let shared: Environment | undefined;

/** Made at the first use: who only lints a file that is no YAML does not wait for it. */
function evaluation(): Environment {
  shared ??= serverEnvironment("dynamic");
  return shared;
}

function withTexts(environment: Environment): Environment {
  return environment
    .registerFunction("string.serverMatches(string): bool", linearMatch)
    .registerFunction("string.serverLowerAscii(): string", lowerAscii)
    .registerFunction("string.serverUpperAscii(): string", upperAscii)
    .registerFunction("string.serverTrim(): string", trimSpace)
    .registerFunction("string.replace(string, string): string", (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction("google.protobuf.Timestamp.serverInZone(string): google.protobuf.Timestamp", inZone);
}

function withAddresses(environment: Environment): Environment {
  return environment
    .registerType("kubernetes.URL", Url)
    .registerFunction("isURL(string): bool", isGoUrl)
    .registerFunction(
      "url(string): kubernetes.URL",
      (text: string) => new Url(certain(parseGoUrl(text), "URL")),
    )
    .registerFunction("kubernetes.URL.getScheme(): string", ({ url }: Url) => url.scheme)
    .registerFunction("kubernetes.URL.getHost(): string", ({ url }: Url) => url.host)
    .registerFunction("kubernetes.URL.getHostname(): string", ({ url }: Url) => hostnameOf(url))
    .registerFunction("kubernetes.URL.getPort(): string", ({ url }: Url) => portOf(url))
    .registerFunction("kubernetes.URL.getQuery(): map<string, list<string>>", ({ url }: Url) => queryOf(url))
    .registerType("net.IP", Ip)
    .registerFunction("isIP(string): bool", (text: string) => parseIp(text) !== undefined)
    .registerFunction("ip(string): net.IP", (text: string) => new Ip(certain(parseIp(text), "IP address")))
    .registerFunction("string(net.IP): string", ({ ip }: Ip) => ip.text)
    .registerFunction("net.IP.family(): int", ({ ip }: Ip) => BigInt(ip.family));
}

/** The same moment as a clock in that zone shows it, to be read as UTC. */
function inZone(moment: Date, zone: string): Date {
  if (!isTimeZone(zone)) throw new Error(`unknown time zone ${zone}`);
  return new Date(moment.getTime() + zoneOffset(zone, moment.getTime()));
}

function certain<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} parse error during conversion from string`);
  return value;
}

/** The library draws the expression below its messages. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}

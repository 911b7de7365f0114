/**
 * What kind of network an IP address belongs to. Everything that is not plainly public is named, so that a refusal can
 * say why. Ranges: IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates).
 */

export type AddressClass =
  | "public"
  | "unspecified"
  | "loopback"
  | "private"
  | "link-local"
  | "carrier-nat"
  | "metadata"
  | "multicast"
  | "documentation"
  | "reserved"
  | "unreadable";

interface Range {
  readonly first: readonly number[];
  readonly bits: number;
  readonly is: AddressClass;
}

/** First match wins: single addresses before the ranges around them. */
const v4Ranges: readonly Range[] = [
  v4("169.254.169.254", 32, "metadata"), // AWS, Azure, GCP, OpenStack, DigitalOcean
  v4("169.254.170.2", 32, "metadata"), // AWS ECS task credentials
  v4("169.254.170.23", 32, "metadata"), // AWS EKS pod identity
  v4("168.63.129.16", 32, "metadata"), // Azure host, although the address looks public
  v4("100.100.100.200", 32, "metadata"), // Alibaba Cloud
  v4("192.0.0.192", 32, "metadata"), // Oracle Cloud
  v4("0.0.0.0", 8, "unspecified"),
  v4("10.0.0.0", 8, "private"),
  v4("100.64.0.0", 10, "carrier-nat"),
  v4("127.0.0.0", 8, "loopback"),
  v4("169.254.0.0", 16, "link-local"),
  v4("172.16.0.0", 12, "private"),
  v4("192.0.0.0", 24, "reserved"),
  v4("192.0.2.0", 24, "documentation"),
  v4("192.88.99.0", 24, "reserved"),
  v4("192.168.0.0", 16, "private"),
  v4("198.18.0.0", 15, "reserved"),
  v4("198.51.100.0", 24, "documentation"),
  v4("203.0.113.0", 24, "documentation"),
  v4("224.0.0.0", 4, "multicast"),
  v4("240.0.0.0", 4, "reserved"),
];

const v6Ranges: readonly Range[] = [
  v6("::", 128, "unspecified"),
  v6("::1", 128, "loopback"),
  v6("fd00:ec2::254", 128, "metadata"), // AWS
  v6("fd00:ec2::23", 128, "metadata"), // AWS EKS pod identity
  v6("fd20:ce::254", 128, "metadata"), // GCP
  v6("64:ff9b:1::", 48, "private"), // RFC 8215: NAT64 of a local network
  v6("100::", 64, "reserved"),
  v6("2001:db8::", 32, "documentation"),
  v6("2001::", 23, "reserved"), // RFC 2928, with Teredo, whose inner address is the sender's to choose
  v6("3fff::", 20, "documentation"),
  v6("fc00::", 7, "private"),
  v6("fe80::", 10, "link-local"),
  v6("fec0::", 10, "private"),
  v6("ff00::", 8, "multicast"),
];

/** Prefixes that carry an IPv4 address: the packet ends at that address, so it is the one to judge. */
const carriers: readonly { readonly first: readonly number[]; readonly bits: number; readonly at: number }[] =
  [
    { first: v6bytes("::ffff:0:0"), bits: 96, at: 12 }, // IPv4-mapped, RFC 4291
    { first: v6bytes("::ffff:0:0:0"), bits: 96, at: 12 }, // IPv4-translated, RFC 2765
    { first: v6bytes("64:ff9b::"), bits: 96, at: 12 }, // NAT64, RFC 6052
    { first: v6bytes("2002::"), bits: 16, at: 2 }, // 6to4, RFC 3056
    { first: v6bytes("::"), bits: 96, at: 12 }, // IPv4-compatible, RFC 4291
  ];

/** `text` is an address as a resolver or a socket writes it; a zone (`%eth0`) and URL brackets are ignored. */
export function classifyAddress(text: string): AddressClass {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (!bare.includes(":")) {
    const bytes = readV4(bare);
    return bytes === undefined ? "unreadable" : classOf(bytes, v4Ranges, "public");
  }
  const bytes = readV6(bare);
  return bytes === undefined ? "unreadable" : classifyV6(bytes);
}

function classifyV6(bytes: readonly number[]): AddressClass {
  const named = classOf(bytes, v6Ranges, undefined);
  if (named !== undefined) return named;
  const carrier = carriers.find((candidate) => inside(bytes, candidate.first, candidate.bits));
  if (carrier !== undefined) return classOf(bytes.slice(carrier.at, carrier.at + 4), v4Ranges, "public");
  // Only 2000::/3 has been handed out as global unicast (RFC 4291 §2.4).
  return ((bytes[0] ?? 0) & 0xe0) === 0x20 ? "public" : "reserved";
}

function classOf<T>(bytes: readonly number[], ranges: readonly Range[], otherwise: T): AddressClass | T {
  return ranges.find((range) => inside(bytes, range.first, range.bits))?.is ?? otherwise;
}

function inside(bytes: readonly number[], first: readonly number[], bits: number): boolean {
  for (let index = 0; index * 8 < bits; index += 1) {
    const mask = 0xff & (0xff00 >> Math.min(8, bits - index * 8));
    if (((bytes[index] ?? 0) & mask) !== ((first[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** Strict dotted quad: the short, octal and hexadecimal spellings are normalised by the URL parser before this. */
function readV4(text: string): number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function readV6(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0] ?? "");
  const tail = halves.length === 2 ? readGroups(halves[1] ?? "") : [];
  if (head === undefined || tail === undefined) return undefined;
  const gap = 16 - head.length - tail.length;
  if (halves.length === 2 ? gap < 2 : gap !== 0) return undefined;
  return [...head, ...new Array<number>(gap).fill(0), ...tail];
}

/** Bytes of the colon-separated groups; the last may be a dotted quad. */
function readGroups(text: string): number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const quad = index === groups.length - 1 && group.includes(".") ? readV4(group) : undefined;
    if (quad !== undefined) bytes.push(...quad);
    else if (/^[0-9a-f]{1,4}$/i.test(group)) bytes.push(parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}

function v4(text: string, bits: number, is: AddressClass): Range {
  return { first: readV4(text) ?? [], bits, is };
}

function v6(text: string, bits: number, is: AddressClass): Range {
  return { first: v6bytes(text), bits, is };
}

function v6bytes(text: string): readonly number[] {
  return readV6(text) ?? [];
}

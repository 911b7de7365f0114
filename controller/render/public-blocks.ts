/** A part of the address space without some parts of it, as a NetworkPolicy has it. */
export interface IpBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/**
 * IPv4 ranges that are not public: those the harvester's address guard refuses, less what lies inside another of them.
 * IANA special-purpose registry (RFC 6890 and its updates); 168.63.129.16 is the host of an Azure machine.
 */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
] as const;

/** Within 2000::/3, the only part that was handed out (RFC 4291 §2.4). 2002::/16 carries any IPv4 address, and is given up (RFC 7526). */
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"] as const;

/** The internet: what a source without transport.allowPrivateNetwork may be reached at. */
export const publicBlocks: readonly IpBlock[] = [
  { cidr: "0.0.0.0/0", except: NOT_PUBLIC_V4 },
  { cidr: "2000::/3", except: NOT_PUBLIC_V6 },
  // IPv4 addresses as pods of an IPv6-only cluster reach them (NAT64, RFC 6052).
  { cidr: "64:ff9b::/96", except: NOT_PUBLIC_V4.map(translated) },
];

/** 10.0.0.0/8 → 64:ff9b::a00:0/104. */
function translated(cidr: string): string {
  const [address = "", bits = ""] = cidr.split("/");
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const [high, low] = [(a << 8) | b, (c << 8) | d];
  const groups =
    high === 0 && low === 0 ? "" : `${high === 0 ? "" : `${high.toString(16)}:`}${low.toString(16)}`;
  return `64:ff9b::${groups}/${String(Number(bits) + 96)}`;
}

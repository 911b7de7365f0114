/** The NetworkPolicy and the harvester's address guard are two walls around the same thing: they must not disagree. */
import { BlockList, isIPv6 } from "node:net";
import { describe, expect, it } from "vitest";
import { renderInput } from "../../controller/render/inputs-for-tests.js";
import { renderNetworkPolicy } from "../../controller/render/network-policy.js";
import { classifyAddress } from "../../harvester/fetch/address.js";

interface Block {
  readonly cidr: string;
  readonly except?: readonly string[];
}

const policy = renderNetworkPolicy(renderInput())["spec"] as {
  egress: readonly { readonly to?: readonly { readonly ipBlock: Block }[] }[];
};
const blocks = (policy.egress[1]?.to ?? []).map(({ ipBlock }) => ipBlock);

function inside(address: string, cidrs: readonly string[]): boolean {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [network = "", bits = ""] = cidr.split("/");
    list.addSubnet(network, Number(bits), isIPv6(network) ? "ipv6" : "ipv4");
  }
  return list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Node compares IPv6 addresses that carry IPv4 with IPv4 lists too, so each family is asked by itself. */
function lets(address: string): boolean {
  return blocks
    .filter(({ cidr }) => isIPv6(cidr.split("/")[0] ?? "") === isIPv6(address))
    .some(({ cidr, except = [] }) => inside(address, [cidr]) && !inside(address, except));
}

function v4(value: number): string {
  return [24, 16, 8, 0].map((shift) => String((value >>> shift) & 255)).join(".");
}

function number(address: string): number {
  return address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}

/** First and last address of each exception, and their neighbours outside it. */
const edges = (blocks.find(({ cidr }) => cidr === "0.0.0.0/0")?.except ?? []).flatMap((cidr) => {
  const [network = "", bits = ""] = cidr.split("/");
  const first = number(network);
  const last = first + 2 ** (32 - Number(bits)) - 1;
  return [first - 1, first, last, last + 1].filter((value) => value >= 0 && value < 2 ** 32).map(v4);
});

const addresses = [
  ...edges,
  ...[
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "169.254.169.254",
    "100.100.100.200",
    "192.0.0.192",
    "255.255.255.255",
  ],
  ...[
    "2606:4700::1111",
    "2a00:1450::1",
    "2001:4860::1",
    "2001:200::1",
    "2001:1ff::1",
    "2001:db8::1",
    "2001:db9::1",
  ],
  ...["3fff::1", "3fff:fff::1", "3fff:1000::1", "3ffe::1", "2002:a00:1::1", "4000::1", "1fff::1"],
  ...[
    "::",
    "::1",
    "fd00::1",
    "fc00::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "100::1",
    "fd00:ec2::254",
    "64:ff9b:1::1",
  ],
  ...edges.map(nat64),
  ...["8.8.8.8", "10.1.2.3", "169.254.169.254"].map(nat64),
];

function nat64(address: string): string {
  return `64:ff9b::${address}`;
}

describe("the network policy", () => {
  it.each(addresses)("lets to %s what the harvester may connect to", (address) => {
    expect(lets(address)).toBe(classifyAddress(address) === "public");
  });

  it("gives up 6to4 as a whole, of which the harvester judges the inner address", () => {
    expect([lets("2002:808:808::1"), classifyAddress("2002:808:808::1")]).toEqual([false, "public"]);
  });
});

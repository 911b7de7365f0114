import { describe, expect, it } from "vitest";
import { liveSource, renderInput } from "./inputs-for-tests.js";
import { renderNetworkPolicy } from "./network-policy.js";

interface Rule {
  readonly to?: readonly {
    readonly ipBlock: { readonly cidr: string; readonly except?: readonly string[] };
  }[];
  readonly ports: readonly { readonly port: number; readonly protocol: string }[];
}

const { transport } = liveSource().spec;

function rules(input: Parameters<typeof renderNetworkPolicy>[0]): readonly Rule[] {
  return (renderNetworkPolicy(input)["spec"] as { egress: readonly Rule[] }).egress;
}

describe("where a pod may go", () => {
  it.each([
    { name: "https", spec: { baseUrl: "https://a.example.gov/oai" }, ports: [443], where: "public" },
    { name: "a port", spec: { baseUrl: "https://a.example.gov:8443/oai" }, ports: [8443], where: "public" },
    {
      name: "http, and the https it may lead to",
      spec: { baseUrl: "http://a.example.gov/" },
      ports: [80, 443],
      where: "public",
    },
    {
      name: "an address",
      spec: { baseUrl: "https://[2001:4860::1]:9443/oai" },
      ports: [9443],
      where: "public",
    },
    {
      name: "redirects, each port once",
      spec: {
        transport: {
          ...transport,
          allowedRedirectOrigins: [
            "https://b.example.gov",
            "https://c.example.gov:444",
            "http://d.example.gov",
          ],
        },
      },
      ports: [80, 443, 444],
      where: "public",
    },
    {
      name: "a private network",
      spec: { transport: { ...transport, allowPrivateNetwork: true } },
      ports: [443],
      where: "anywhere",
    },
    {
      name: "a proxy, and nowhere else",
      spec: {
        transport: {
          ...transport,
          proxyUrl: "http://proxy.example.gov:3128",
          allowedRedirectOrigins: ["https://b.example.gov:444"],
        },
      },
      ports: [3128],
      where: "anywhere",
    },
    {
      name: "a proxy without a port",
      spec: { transport: { ...transport, proxyUrl: "http://proxy.example.gov" } },
      ports: [80],
      where: "anywhere",
    },
  ])("for $name", ({ spec, ports, where }) => {
    const rule = rules(renderInput({ source: liveSource(spec) }))[1];
    expect(rule?.ports).toEqual(ports.map((port) => ({ port, protocol: "TCP" })));
    const cidrs = rule?.to?.map(({ ipBlock }) => ipBlock.cidr);
    expect(cidrs).toEqual(where === "anywhere" ? undefined : ["0.0.0.0/0", "2000::/3", "64:ff9b::/96"]);
  });

  it("for the database: anywhere on its port, or where the settings say", () => {
    const { settings } = renderInput();
    expect(rules(renderInput())[2]).toEqual({ ports: [{ port: 5432, protocol: "TCP" }] });
    const narrow = { ...settings, databaseCidrs: ["10.1.2.3/32"], databasePort: 6432 };
    expect(rules(renderInput({ settings: narrow }))[2]).toEqual({
      to: [{ ipBlock: { cidr: "10.1.2.3/32" } }],
      ports: [{ port: 6432, protocol: "TCP" }],
    });
  });

  it("lets nobody in", () => {
    const spec = renderNetworkPolicy(renderInput())["spec"] as Record<string, unknown>;
    expect(spec["policyTypes"]).toEqual(["Ingress", "Egress"]);
    expect(spec["ingress"]).toBeUndefined();
  });
});

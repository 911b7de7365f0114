import { describe, expect, it } from "vitest";
import { groupByHost, hostOf, sourceUsesHost } from "./host.js";
import { parseManifests } from "./parse.js";

function source(baseUrl: string): ReturnType<typeof parseManifests>["sources"][number] {
  const text = `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: t }
spec: { baseUrl: "${baseUrl}", metadataPrefix: oai_dc, schedule: "@daily" }
`;
  const [located] = parseManifests(text, { file: "a.yaml", named: true }).sources;
  if (located === undefined) throw new Error("The manifest of this test is wrong.");
  return located;
}

describe("hosts", () => {
  it.each([
    ["https://a.example.gov/oai", "a.example.gov"],
    ["https://A.Example.GOV:8443/oai?x=1", "a.example.gov"],
    ["http://[::1]:8080/", "[::1]"],
    ["https://bücher.example.org/", "xn--bcher-kva.example.org"],
    ["nonsense", undefined],
  ])("of %s is %s", (baseUrl, host) => {
    expect(hostOf(source(baseUrl).source)).toBe(host);
  });

  it("group sources whatever port, path and case they name", () => {
    const all = [
      "https://a.example.gov/1",
      "https://b.example.gov/",
      "http://A.example.gov:81/2",
      "nonsense",
    ].map(source);
    const groups = groupByHost(all);
    expect([...groups].map(([host, group]) => [host, group.length])).toEqual([
      ["a.example.gov", 2],
      ["b.example.gov", 1],
    ]);
    expect(all.map((each) => sourceUsesHost(each.source, "a.example.gov"))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

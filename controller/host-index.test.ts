import { expect, it } from "vitest";
import { hostIndex } from "./host-index.js";
import type { LiveSource } from "./object.js";

function source(name: string, baseUrl: string, generation = 1): LiveSource {
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name, namespace: "geo", uid: name, generation },
    spec: { baseUrl } as LiveSource["spec"],
  };
}

it("names the neighbours whose ceiling a change of spec may turn on, and nobody for a change of status", () => {
  const hosts = hostIndex();
  const a = source("a", "https://one.example/oai");
  const b = source("b", "https://one.example:8443/other");
  expect(hosts.note(undefined, a)).toEqual([]);
  expect(hosts.note(undefined, b)).toEqual(["geo/a"]);
  expect(hosts.note(b, b)).toEqual([]);
  const moved = source("b", "https://two.example/oai", 2);
  expect(hosts.note(b, moved)).toEqual(["geo/a"]);
  expect(hosts.neighbours(a)).toEqual(["geo/a"]);
  expect(hosts.neighbours(moved)).toEqual(["geo/b"]);
  expect(hosts.note(moved, undefined)).toEqual([]);
});

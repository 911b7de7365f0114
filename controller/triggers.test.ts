import { describe, expect, it } from "vitest";
import { hostIndex } from "./host-index.js";
import type { KubeObject } from "./object.js";
import { triggered, type Change } from "./triggers.js";

const context = { hosts: hostIndex(), sourcesIn: () => ["geo/a", "geo/b"] };

function child(source: string | undefined): KubeObject {
  const labels: Record<string, string> = source === undefined ? {} : { "ingest.geoportal.io/source": source };
  return { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "c", namespace: "geo", labels } };
}

describe("which sources a change is about", () => {
  it.each<readonly [string, Change, readonly string[]]>([
    ["a child came", { kind: "child", after: child("a") }, ["geo/a"]],
    ["a child changed", { kind: "child", before: child("a"), after: child("a") }, ["geo/a"]],
    ["a child went", { kind: "child", before: child("a") }, ["geo/a"]],
    ["its label was changed", { kind: "child", before: child("a"), after: child("b") }, ["geo/a", "geo/b"]],
    ["its label was taken off", { kind: "child", before: child("a"), after: child(undefined) }, ["geo/a"]],
    ["a child of nobody", { kind: "child", after: child(undefined) }, []],
    ["a bundle of all", { kind: "bundle", after: child(undefined) }, ["geo/a", "geo/b"]],
  ])("%s", (_name, change, keys) => {
    expect(triggered(change, context)).toEqual(keys);
  });
});

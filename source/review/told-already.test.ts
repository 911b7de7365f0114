import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.js";
import type { Consequence } from "./consequence.js";
import { toldAlready } from "./told-already.js";
import { manifest, treeOf } from "./tree-for-tests.js";

const { sources } = treeOf({
  manifests: {
    "a.yaml": manifest("a", { baseUrl: "https://one.example/oai/a", concurrency: { maxRequests: 3 } }),
    "b.yaml": manifest("b", { baseUrl: "https://one.example/oai/b", concurrency: { maxRequests: 2 } }),
    "c.yaml": manifest("c", { baseUrl: "https://two.example/oai", concurrency: { maxRequests: 9 } }),
  },
});
const [a, b, c] = sources;

function over(source: "a" | "c"): Consequence {
  const place = { file: `${source}.yaml`, line: 1, column: 1, length: 1 };
  return { id: "concurrency-over-ceiling", severity: "error", source, sentence: "Too much.", place };
}

function lintSays(rule: string, at: typeof a, path: readonly string[]): Finding {
  return { rule, severity: "error", sentence: "Too much.", place: at!.place(path) };
}

const concurrency = ["spec", "concurrency", "maxRequests"];

describe("toldAlready", () => {
  it.each<readonly [string, Finding, readonly Consequence[], boolean]>([
    ["at another source of the host", lintSays("fair-use/over-ceiling", b, concurrency), [over("a")], true],
    ["of another host", lintSays("fair-use/over-ceiling", c, concurrency), [over("a")], false],
    ["without a consequence", lintSays("fair-use/over-ceiling", a, concurrency), [], false],
    [
      "of another rule at the same place",
      lintSays("fair-use/no-ceiling", a, concurrency),
      [over("a")],
      false,
    ],
    [
      "of the prefix that nothing maps",
      lintSays("prefix/no-transform", a, ["spec", "metadataPrefix"]),
      [{ ...over("a"), id: "transform-missing" }],
      true,
    ],
  ])("a finding %s", (...[, finding, consequences, told]) => {
    expect(toldAlready(sources, consequences)(finding)).toBe(told);
  });
});

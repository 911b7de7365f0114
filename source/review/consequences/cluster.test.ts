import { describe, expect, it } from "vitest";
import type { LiveFacts } from "../facts.js";
import { manifest } from "../tree-for-tests.js";
import { told } from "./tell-for-tests.js";

const base = { manifests: { "a.yaml": manifest("a"), "b.yaml": manifest("b", { sets: ["b"] }) } };
const head = {
  manifests: {
    "a.yaml": manifest("a", { concurrency: { maxRequests: 2 } }),
    "b.yaml": manifest("b", { sets: ["b"] }),
  },
};

describe("what a cluster says", () => {
  const table: { name: string; live: Readonly<Record<string, LiveFacts>>; expected: string[] }[] = [
    { name: "nothing", live: { a: { drift: [] } }, expected: [] },
    {
      name: "a hand edit",
      live: {
        a: {
          drift: [
            {
              field: "spec.suspend",
              base: false,
              live: true,
              manager: "kubectl-patch",
              time: "2026-11-30T06:00:00Z",
            },
          ],
        },
      },
      expected: [
        "warning drift-overwritten: In the cluster spec.suspend of a is true instead of false (changed by kubectl-patch at 2026-11-30T06:00:00Z); the merge overwrites it.",
      ],
    },
    {
      name: "an edit by nobody known, of something the base has not",
      live: { a: { drift: [{ field: "spec.sets", live: ["x"] }] } },
      expected: [
        'warning drift-overwritten: In the cluster spec.sets of a is ["x"] instead of absent; the merge overwrites it.',
      ],
    },
    {
      name: "a hand edit of a source that this change does not touch",
      live: { b: { drift: [{ field: "spec.suspend", base: false, live: true }] } },
      expected: [],
    },
    {
      name: "a refusal",
      live: {
        a: { drift: [], dryRun: { accepted: false, messages: ["denied by policy fair-use", "x", "y", "z"] } },
      },
      expected: [
        "error server-refuses: The API server would refuse a: denied by policy fair-use; x; y (and 1 more).",
      ],
    },
    { name: "consent", live: { a: { drift: [], dryRun: { accepted: true, messages: [] } } }, expected: [] },
  ];
  it.each(table)("$name", ({ live, expected }) => {
    const facts = { live: new Map(Object.entries(live)) };
    expect(told(base, head, facts).filter((each) => !each.includes("concurrency-raised"))).toEqual(expected);
  });
});

import { describe, expect, it } from "vitest";
import { decideEvent, type ObjectHistory } from "./decide-event.js";
import type { Occurrence } from "./occurrence.js";

const start = Date.parse("2026-12-01T00:00:00Z");
const minute = 60_000;

function occurrence(message: string, changes: Partial<Occurrence> = {}): Occurrence {
  return {
    object: {
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      metadata: { name: "harbor", namespace: "geo", uid: "u-1" },
    },
    type: "Normal",
    reason: "RunCompleted",
    message,
    ...changes,
  };
}

/** What becomes of occurrences one after another: `+minutes` from the start, what happened. */
function tell(story: readonly (readonly [number, Occurrence])[]): string[] {
  let history: ObjectHistory | undefined;
  const names: string[] = [];
  return story.map(([minutes, happened]) => {
    const decision = decideEvent(history, happened, start + minutes * minute);
    history = decision.history;
    if (decision.outcome.kind === "drop") return "drop";
    const { kind, state } = decision.outcome;
    if (!names.includes(state.name)) names.push(state.name);
    return `${kind} ${String(names.indexOf(state.name))} ×${String(state.count)} ${state.message}`;
  });
}

/** `count` occurrences of different messages, `each` minutes apart, from `from` on. */
function different(count: number, from = 0, each = 0): (readonly [number, Occurrence])[] {
  return Array.from(
    { length: count },
    (_, index) => [from + index * each, occurrence(`run ${String(index)}`)] as const,
  );
}

describe("the same again", () => {
  it.each([
    {
      name: "within ten minutes of the last is one more",
      given: [
        [0, occurrence("done")],
        [10, occurrence("done")],
        [20, occurrence("done")],
      ] as const,
      expect: ["create 0 ×1 done", "update 0 ×2 done", "update 0 ×3 done"],
    },
    {
      name: "after ten minutes is a new event",
      given: [
        [0, occurrence("done")],
        [10.1, occurrence("done")],
      ] as const,
      expect: ["create 0 ×1 done", "create 1 ×1 done"],
    },
    {
      name: "with another reason, type or message is another event",
      given: [
        [0, occurrence("done")],
        [1, occurrence("done", { reason: "RunRefused" })],
        [1, occurrence("done", { type: "Warning" })],
        [1, occurrence("done well")],
        [1, occurrence("done")],
      ] as const,
      expect: [
        "create 0 ×1 done",
        "create 1 ×1 done",
        "create 2 ×1 done",
        "create 3 ×1 done well",
        "update 0 ×2 done",
      ],
    },
    {
      name: "by a clock that was put back is one more still",
      given: [
        [5, occurrence("done")],
        [-600, occurrence("done")],
      ] as const,
      expect: ["create 0 ×1 done", "update 0 ×2 done"],
    },
  ])("$name", ({ given, expect: expected }) => {
    expect(tell(given)).toEqual(expected);
  });
});

describe("many alike", () => {
  it("become one event after ten, with the latest message; the ten go on by themselves", () => {
    const told = tell([...different(12), [1, occurrence("run 3")], [1, occurrence("run 99")]]);
    expect(told[9]).toBe("create 9 ×1 run 9");
    expect(told.slice(10)).toEqual([
      "create 10 ×1 Many alike, of which this is the latest: run 10",
      "update 10 ×2 Many alike, of which this is the latest: run 11",
      "update 3 ×2 run 3",
      "update 10 ×3 Many alike, of which this is the latest: run 99",
    ]);
  });

  it("are events of their own when they come slowly", () => {
    expect(tell(different(15, 0, 2)).filter((word) => word.startsWith("create"))).toHaveLength(15);
  });

  it("of another reason are not counted with them", () => {
    const told = tell([...different(10), [0, occurrence("x", { reason: "Paused" })]]);
    expect(told[10]).toBe("create 10 ×1 x");
  });
});

describe("an object that says too much", () => {
  it("is heard 25 times at once, then once in five minutes", () => {
    const told = tell([
      ...Array.from({ length: 27 }, () => [0, occurrence("again")] as const),
      [4.9, occurrence("again")],
      [5, occurrence("again")],
      [5, occurrence("again")],
    ]);
    expect(told.slice(24)).toEqual([
      "update 0 ×25 again",
      "drop",
      "drop",
      "drop",
      "update 0 ×26 again",
      "drop",
    ]);
  });

  it("has its whole allowance back after two hours of silence, and no more", () => {
    const burst = (at: number) => Array.from({ length: 26 }, () => [at, occurrence("again")] as const);
    const told = tell([...burst(0), ...burst(10_000)]);
    expect(told.filter((word) => word === "drop")).toHaveLength(2);
    expect(told[51]).toBe("drop");
  });
});

it("remembers no more than a hundred events of an object", () => {
  let history: ObjectHistory | undefined;
  for (let index = 0; index < 300; index += 1) {
    const before: ObjectHistory | undefined =
      history === undefined ? undefined : { ...history, allowance: 25 };
    history = decideEvent(before, occurrence("x", { reason: `Reason${String(index)}` }), start).history;
  }
  expect(history!.events).toHaveLength(100);
});

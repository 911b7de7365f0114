import { describe, expect, it } from "vitest";
import { settle } from "../../tests/setup/fake-clock.js";
import {
  MINUTE,
  SECOND,
  bookmark,
  event,
  fault,
  keys,
  source,
  stage,
  status,
  watching,
} from "../../tests/setup/reflector-stage.js";

describe("the periodic list", () => {
  it.each([
    { random: 0, due: 9 * 60 * MINUTE },
    { random: 0.5, due: 10 * 60 * MINUTE },
  ])("finds a deletion nobody told of, after 10 hours with jitter ($random)", async ({ random, due }) => {
    const scene = await watching({ random: () => random });
    for (let ms = 0; ms < due - MINUTE; ms += MINUTE) {
      await scene.clock.pass(MINUTE);
      scene.source.watches[0]!.send(bookmark(11 + ms / MINUTE));
    }
    expect(scene.source.lists).toHaveLength(1);
    await scene.clock.pass(MINUTE);
    expect(scene.source.lists).toHaveLength(2);
    expect(scene.source.watches).toHaveLength(1);
    scene.source.lists[1]!.answer("5000", []);
    await settle();
    expect(scene.told).toEqual(["+geo/a@1", "-geo/a@1"]);
    expect(scene.source.watches[1]!.options.resourceVersion).toBe("5000");
  });

  it("is due also while no watch comes about", async () => {
    const scene = await watching({ limits: { relistMs: 10 * SECOND } });
    scene.source.watches[0]!.cut(fault(0, "ECONNRESET"));
    await scene.clock.pass(1 * SECOND);
    await scene.clock.pass(8 * SECOND);
    expect(scene.source.lists).toHaveLength(2);
  });
});

describe("a list from the past", () => {
  it("is asked for again, and believed the fourth time: etcd was restored", async () => {
    const scene = await watching();
    scene.source.watches[0]!.send(event("MODIFIED", source("a", 90)), status(410, "Expired"));
    for (let number = 1; number <= 4; number += 1) {
      await scene.clock.pass(20 * SECOND);
      scene.source.lists[number]!.answer("50", [source("a", 45)]);
      await settle();
      expect(keys(scene)).toEqual([number < 4 ? "a@90" : "a@45"]);
    }
    expect(scene.reflector.state().counts.restarts["stale-list"]).toBe(3);
    expect(scene.source.watches.at(-1)!.options.resourceVersion).toBe("50");
  });
});

describe("what callbacks may do", () => {
  it("an exception is reported and ends nothing", async () => {
    let calls = 0;
    const scene = await watching({
      onChange: () => {
        calls += 1;
        throw new Error("no");
      },
    });
    scene.source.watches[0]!.send(event("ADDED", source("b", 11)), event("ADDED", source("c", 12)));
    await settle();
    expect(calls).toBe(3);
    expect(keys(scene)).toEqual(["a@1", "b@11", "c@12"]);
    expect(scene.notes.filter(({ kind }) => kind === "callback-failed")).toHaveLength(3);
    expect(scene.source.watches).toHaveLength(1);
  });

  it("so is the rejection of an asynchronous one", async () => {
    const scene = await watching({ onChange: () => Promise.reject(new Error("later")) as never });
    expect(scene.notes).toContainEqual({ kind: "callback-failed", key: "geo/a", error: new Error("later") });
  });

  it("an exception of onState ends nothing either", async () => {
    const scene = await watching({
      onState: () => {
        throw new Error("no");
      },
    });
    expect(scene.reflector.state()).toMatchObject({ phase: "watching", counts: { callbackFailures: 2 } });
  });

  it("one may stop the reflector in the middle of a list", async () => {
    const told: string[] = [];
    const scene = stage({
      onChange: (key) => {
        told.push(key);
        scene.reflector.stop();
      },
    });
    await settle();
    scene.source.lists[0]!.answer("10", [source("a", 1), source("b", 2)]);
    await settle();
    expect(told).toEqual(["geo/a"]);
    expect(scene.source.watches).toHaveLength(0);
  });

  it("a write to a cached object throws", async () => {
    const scene = await watching();
    const object = scene.reflector.lister.get("geo/a") as unknown as { metadata: { name: string } };
    expect(() => {
      object.metadata.name = "b";
    }).toThrow(TypeError);
  });
});

describe("stop", () => {
  it("tells nothing more, asks nothing more, and leaves no timer", async () => {
    const scene = await watching();
    scene.reflector.stop();
    const before = scene.notes.length;
    expect(scene.source.watches[0]!.options.signal.aborted).toBe(true);
    scene.source.watches[0]!.send(event("MODIFIED", source("a", 12)));
    scene.source.watches[0]!.cut(fault(0, "Aborted"));
    await scene.clock.pass(24 * 60 * MINUTE);
    expect(scene.told).toEqual(["+geo/a@1"]);
    expect(scene.notes).toHaveLength(before);
    expect(scene.source.lists.length + scene.source.watches.length).toBe(2);
    expect(scene.clock.waiting).toBe(0);
    expect(keys(scene)).toEqual(["a@1"]);
  });

  it("while waiting after a failure, too", async () => {
    const scene = stage();
    await settle();
    scene.source.lists[0]!.fail(fault(0, "ECONNREFUSED"));
    await settle();
    expect(scene.reflector.state().phase).toBe("waiting");
    scene.reflector.stop();
    await scene.clock.pass(MINUTE);
    expect(scene.source.lists).toHaveLength(1);
    expect(scene.clock.waiting).toBe(0);
  });

  it("while a list is under way, too", async () => {
    const scene = stage();
    await settle();
    scene.reflector.stop();
    scene.source.lists[0]!.answer("10", [source("a", 1)]);
    await settle();
    expect(scene.told).toEqual([]);
    expect(scene.clock.waiting).toBe(0);
  });
});

describe("signs of life", () => {
  it("bytes, answers and attempts count; the wall clock may jump", async () => {
    const scene = await watching();
    const start = Date.parse("2026-12-01T00:00:00Z");
    await scene.clock.pass(100 * SECOND);
    expect(scene.reflector.lastActivity()).toEqual(new Date(start));
    expect(scene.reflector.state().idleMs).toBe(100 * SECOND);
    scene.source.watches[0]!.bytes();
    scene.clock.jump(-3_600 * SECOND);
    await scene.clock.pass(5 * SECOND);
    expect(scene.reflector.state()).toMatchObject({
      idleMs: 5 * SECOND,
      lastHeard: new Date(start + (100 - 3_600) * SECOND),
    });
  });

  it("counts what happened", async () => {
    const scene = await watching();
    scene.source.watches[0]!.send(
      event("MODIFIED", source("a", 12)),
      event("MODIFIED", source("a", 12)),
      bookmark(13),
    );
    await settle();
    expect(scene.reflector.state().counts).toEqual({
      lists: 1,
      watches: 1,
      events: 2,
      staleEvents: 1,
      changes: 2,
      callbackFailures: 0,
      restarts: {},
    });
  });
});

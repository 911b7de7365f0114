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
  type Stage,
} from "../../tests/setup/reflector-stage.js";
import type { KubeObject } from "../object.js";
import type { WatchEvent } from "./watch-source.js";

describe("list, then watch", () => {
  it("lists, tells what is there, is synced, and watches from there", async () => {
    const scene = stage({ namespace: "geo", labelSelector: "x=y", fieldSelector: "metadata.name=a" });
    const { source: scripted, reflector } = scene;
    await settle();
    expect(reflector.hasSynced()).toBe(false);
    expect(scripted.lists[0]!.options).toEqual({
      namespace: "geo",
      labelSelector: "x=y",
      fieldSelector: "metadata.name=a",
    });
    scripted.lists[0]!.answer("10", [source("b", 3), source("a", 2)]);
    await reflector.synced;
    expect(reflector.hasSynced()).toBe(true);
    expect(scene.told).toEqual(["+geo/b@3", "+geo/a@2"]);
    expect(keys(scene)).toEqual(["a@2", "b@3"]);
    await settle();
    expect(scripted.watches[0]!.options).toMatchObject({
      namespace: "geo",
      labelSelector: "x=y",
      fieldSelector: "metadata.name=a",
      resourceVersion: "10",
      timeoutSeconds: 300,
    });
  });

  it("asks for a watch of 300 to 600 seconds, as the dice say", async () => {
    const scene = await watching({ random: () => 0.999_999 });
    expect(scene.source.watches[0]!.options.timeoutSeconds).toBe(600);
  });

  it("follows additions, changes and deletions, and tells the final state of what went", async () => {
    const scene = await watching();
    scene.source.watches[0]!.send(
      event("ADDED", source("b", 11)),
      event("MODIFIED", source("a", 12)),
      event("DELETED", source("b", 13)),
    );
    await settle();
    expect(scene.told).toEqual(["+geo/a@1", "+geo/b@11", "~geo/a@1>12", "-geo/b@13"]);
    expect(keys(scene)).toEqual(["a@12"]);
    expect(scene.reflector.state()).toMatchObject({ phase: "watching", synced: true, objects: 1 });
  });

  it("resumes from the last event or bookmark, whichever came last", async () => {
    const scene = await watching();
    scene.source.watches[0]!.send(event("MODIFIED", source("a", 12)), bookmark(40));
    await scene.clock.pass(300 * SECOND - 151 * SECOND);
    scene.source.watches[0]!.end();
    await settle();
    expect(scene.source.watches[1]!.options.resourceVersion).toBe("40");
    expect(scene.source.lists).toHaveLength(1);
  });

  it("is not led back by an event from the past", async () => {
    const scene = await watching();
    scene.source.watches[0]!.send(event("MODIFIED", source("a", 12)), event("MODIFIED", source("b", 5)));
    await scene.clock.pass(2 * SECOND);
    scene.source.watches[0]!.end();
    await settle();
    expect(scene.source.watches[1]!.options.resourceVersion).toBe("12");
  });

  it("can be started once only, and ends with the signal it was started with", async () => {
    const scene = await watching();
    expect(() => {
      scene.reflector.start(scene.controller.signal);
    }).toThrow("started before");
    scene.controller.abort();
    expect(scene.reflector.state().phase).toBe("stopped");
  });

  it("rejects `synced` when it is stopped before the first list", async () => {
    const scene = stage();
    scene.reflector.stop();
    await expect(scene.reflector.synced).rejects.toThrow("Stopped before the first list");
  });
});

describe("events that are late, doubled or skip states", () => {
  const rows: readonly { name: string; events: readonly WatchEvent[]; told: readonly string[] }[] = [
    { name: "the same state again", events: [event("ADDED", source("a", 1))], told: [] },
    {
      name: "an older state",
      events: [event("MODIFIED", source("a", 12)), event("MODIFIED", source("a", 11))],
      told: ["~geo/a@1>12"],
    },
    {
      name: "a change of something never seen: its addition was missed",
      events: [event("MODIFIED", source("b", 12))],
      told: ["+geo/b@12"],
    },
    { name: "the deletion of something never seen", events: [event("DELETED", source("b", 12))], told: [] },
    {
      name: "deleted and made again, the deletion missed",
      events: [event("ADDED", source("a", 12, "second"))],
      told: ["-geo/a@1", "+geo/a@12"],
    },
    {
      name: "deleted and made again, and then the late deletion of the first",
      events: [event("ADDED", source("a", 12, "second")), event("DELETED", source("a", 11))],
      told: ["-geo/a@1", "+geo/a@12"],
    },
    {
      name: "versions are numbers, not words",
      events: [event("MODIFIED", source("a", 99)), event("MODIFIED", source("a", 100))],
      told: ["~geo/a@1>99", "~geo/a@99>100"],
    },
    {
      name: "the past told again by a server that lags behind: what was deleted does not rise again",
      events: [
        event("ADDED", source("b", 11)),
        event("DELETED", source("b", 12)),
        event("ADDED", source("b", 11)),
      ],
      told: ["+geo/b@11", "-geo/b@12"],
    },
  ];
  it.each(rows)("$name", async ({ events, told }) => {
    const scene = await watching();
    scene.source.watches[0]!.send(...events);
    await settle();
    expect(scene.told.slice(1)).toEqual(told);
  });

  it("events that were coalesced: the list tells the last state, and what went, once", async () => {
    const scene = await watching();
    scene.source.watches[0]!.send(event("ADDED", source("b", 11)), status(410, "Expired"));
    await settle();
    scene.source.lists[1]!.answer("50", [source("a", 44), source("c", 45)]);
    await settle();
    expect(scene.told.slice(2)).toEqual(["~geo/a@1>44", "+geo/c@45", "-geo/b@11"]);
    expect(keys(scene)).toEqual(["a@44", "c@45"]);
  });
});

describe("how a watch may end", () => {
  it("hang: no bytes for 150 s, connection given up, resumed; what the old one says later is not heard", async () => {
    const scene = await watching();
    await scene.clock.pass(149 * SECOND);
    scene.source.watches[0]!.bytes();
    await scene.clock.pass(149 * SECOND);
    expect(scene.source.watches).toHaveLength(1);
    await scene.clock.pass(1 * SECOND);
    expect(scene.source.watches[0]!.options.signal.aborted).toBe(true);
    await scene.clock.pass(1 * SECOND);
    expect(scene.source.watches[1]!.options.resourceVersion).toBe("10");
    scene.source.watches[0]!.send(event("MODIFIED", source("a", 99)));
    await settle();
    expect(scene.told).toEqual(["+geo/a@1"]);
    expect(scene.source.watches[0]!.left).toBe(true);
    expect(scene.source.lists).toHaveLength(1);
  });

  it("hang before the server accepts the watch, for ever: one request in 150 s", async () => {
    const scene = stage();
    await settle();
    scene.source.lists[0]!.answer("10", []);
    await scene.clock.pass(60 * MINUTE);
    expect(scene.source.watches.length).toBeGreaterThanOrEqual(20);
    expect(scene.source.watches.length).toBeLessThanOrEqual(24);
    expect(scene.source.lists).toHaveLength(1);
  });

  it("hang of the list: asked anew after 5 minutes, the late answer is dropped", async () => {
    const scene = stage();
    await scene.clock.pass(5 * MINUTE + 1 * SECOND);
    expect(scene.source.lists).toHaveLength(2);
    scene.source.lists[0]!.answer("10", [source("a", 1)]);
    await settle();
    expect(scene.reflector.hasSynced()).toBe(false);
    scene.source.lists[1]!.answer("11", [source("a", 2)]);
    await settle();
    expect(scene.told).toEqual(["+geo/a@2"]);
  });

  it("a server that closes at once is asked less than 50 times in 10 minutes", async () => {
    const scene = await watching();
    for (let answered = 0, ms = 0; ms < 10 * MINUTE; ms += 100) {
      for (; answered < scene.source.watches.length; answered += 1) {
        scene.source.watches[answered]!.accept();
        scene.source.watches[answered]!.end();
      }
      await scene.clock.pass(100);
    }
    // 0.8+1.6+3.2+6.4+12.8 s, then 15 s each.
    expect(scene.source.watches.length).toBeLessThanOrEqual(46);
    expect(scene.source.lists).toHaveLength(1);
    expect(scene.reflector.state().counts.restarts["closed-early"]).toBeGreaterThan(40);
  });

  it("410 for ever: listed with back-off", async () => {
    const scene = await watching();
    let watches = 0;
    let lists = 1;
    for (let ms = 0; ms < 10 * MINUTE; ms += 100) {
      for (; watches < scene.source.watches.length; watches += 1)
        scene.source.watches[watches]!.refuse(fault(410, "Expired"));
      for (; lists < scene.source.lists.length; lists += 1)
        scene.source.lists[lists]!.answer(String(20 + lists), [source("a", 1)]);
      await scene.clock.pass(100);
    }
    expect(scene.source.lists.length).toBeLessThanOrEqual(46);
    expect(scene.source.watches.length).toBeLessThanOrEqual(46);
    expect(scene.told).toEqual(["+geo/a@1"]);
  });

  it.each([
    { name: "as HTTP 410", how: (scene: Stage) => scene.source.watches[1]!.refuse(fault(410, "Expired")) },
    {
      name: "as an ERROR event in a 200",
      how: (scene: Stage) => {
        scene.source.watches[1]!.accept();
        scene.source.watches[1]!.send(status(410, "Expired"));
      },
    },
  ])("410 $name: listed at once, and watched from the new list", async ({ how }) => {
    const scene = await watching();
    await scene.clock.pass(5 * SECOND);
    scene.source.watches[0]!.end();
    await settle();
    how(scene);
    await settle();
    expect(scene.source.lists).toHaveLength(2);
    scene.source.lists[1]!.answer("70", [source("a", 66)]);
    await settle();
    expect(scene.source.watches[2]!.options.resourceVersion).toBe("70");
  });

  it.each([
    { code: 500, reason: "InternalError", then: "server-error", lists: 1 },
    { code: 403, reason: "Forbidden", then: "denied", lists: 1 },
    { code: 429, reason: "TooManyRequests", then: "throttled", lists: 1 },
    { code: 400, reason: "BadRequest", then: "refused", lists: 2 },
  ])(
    "ERROR $code on a stream left open: the stream is left ($then)",
    async ({ code, reason, then, lists }) => {
      const scene = await watching();
      scene.source.watches[0]!.send(status(code, reason));
      await settle();
      expect(scene.source.watches[0]!.left).toBe(true);
      await scene.clock.pass(1 * SECOND);
      expect(scene.source.lists).toHaveLength(lists);
      expect(scene.source.watches).toHaveLength(3 - lists);
      expect(scene.notes).toContainEqual(
        expect.objectContaining({ kind: "ended", next: expect.objectContaining({ reason: then }) }),
      );
    },
  );

  it.each([null, "nonsense", {}, { code: "410" }, { code: -1, reason: 7, details: "none" }])(
    "an ERROR event that is no Status (%j) is a fault of the server",
    async (object) => {
      const scene = await watching();
      scene.source.watches[0]!.send({ type: "ERROR", object: object as unknown as KubeObject });
      await scene.clock.pass(1 * SECOND);
      expect(scene.reflector.state().counts.restarts).toEqual({ "server-error": 1 });
      expect(scene.source.watches).toHaveLength(2);
    },
  );

  it.each([
    null,
    {},
    { metadata: {} },
    { metadata: { name: "x" } },
    { metadata: { name: 7, resourceVersion: "9" } },
  ])("an event that names no object (%j): everything is listed", async (object) => {
    const scene = await watching();
    scene.source.watches[0]!.send({ type: "ADDED", object: object as unknown as KubeObject });
    await scene.clock.pass(1 * SECOND);
    expect(scene.source.lists).toHaveLength(2);
    expect(scene.reflector.state().counts.restarts).toEqual({ confused: 1 });
  });

  it("a truncated line or a reset connection: resumed after 0.8 s, nothing lost", async () => {
    const scene = await watching();
    scene.source.watches[0]!.send(event("ADDED", source("b", 11)));
    scene.source.watches[0]!.cut(fault(0, "ECONNRESET"));
    await scene.clock.pass(799);
    expect(scene.source.watches).toHaveLength(1);
    await scene.clock.pass(1);
    expect(scene.source.watches[1]!.options.resourceVersion).toBe("11");
    expect(scene.source.lists).toHaveLength(1);
  });

  it.each(["NotAnEvent", "TooLarge"])(
    "a line that cannot be read (%s) would come again: listed",
    async (reason) => {
      const scene = await watching();
      scene.source.watches[0]!.cut(fault(0, reason));
      await scene.clock.pass(1 * SECOND);
      expect(scene.source.lists).toHaveLength(2);
    },
  );

  it("two minutes of health forgive; less does not", async () => {
    const scene = await watching();
    const waits: number[] = [];
    for (const [number, healthy] of [10 * SECOND, 10 * SECOND, 120 * SECOND, 10 * SECOND].entries()) {
      const watch = scene.source.watches[number]!;
      if (number > 0) watch.accept();
      await scene.clock.pass(healthy);
      watch.send(bookmark(20 + number));
      await settle();
      watch.cut(fault(0, "ECONNRESET"));
      await settle();
      const note = scene.notes.at(-1)!;
      waits.push(note.kind === "ended" ? note.next.afterMs : -1);
      await scene.clock.pass(waits.at(-1)!);
    }
    expect(waits).toEqual([800, 1_600, 800, 1_600]);
  });

  it("the wait a 429 asks for is kept", async () => {
    const scene = await watching();
    await scene.clock.pass(5 * SECOND);
    scene.source.watches[0]!.end();
    await settle();
    scene.source.watches[1]!.refuse(fault(429, "TooManyRequests", 20));
    await scene.clock.pass(19_999);
    expect(scene.source.watches).toHaveLength(2);
    await scene.clock.pass(1);
    expect(scene.source.watches).toHaveLength(3);
  });

  it("a first list that is forbidden is asked again, ever slower, and nothing is watched", async () => {
    const scene = stage();
    for (let answered = 0, ms = 0; ms < 10 * MINUTE; ms += 200) {
      for (; answered < scene.source.lists.length; answered += 1)
        scene.source.lists[answered]!.fail(fault(403, "Forbidden"));
      await scene.clock.pass(200);
    }
    expect(scene.source.lists.length).toBeLessThanOrEqual(46);
    expect(scene.source.watches).toHaveLength(0);
    expect(scene.reflector.state().lastEnd).toEqual({
      what: "list",
      how: "failed",
      status: 403,
      detail: "watch harvestsources: Forbidden",
    });
  });
});

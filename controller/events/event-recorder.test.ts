import { describe, expect, it } from "vitest";
import { fakeClock, settle } from "../../tests/setup/fake-clock.js";
import { ApiFault } from "../api.js";
import type { KubeObject } from "../object.js";
import { createEventRecorder } from "./event-recorder.js";
import type { EventApi } from "./event-writer.js";
import type { Occurrence } from "./occurrence.js";

function happened(message: string, name = "harbor"): Occurrence {
  const object = {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name, namespace: "geo" },
  };
  return { object, type: "Normal", reason: "RunCompleted", message };
}

function fault(status: number): ApiFault {
  return new ApiFault(`status ${String(status)}`, {
    status,
    reason: "Test",
    verb: "create",
    resource: "events",
  });
}

/** A door to the API server that notes what is written, and fails as told. The real one is in tests/cluster/events.test.ts. */
function bench(own: { readonly room?: number; readonly objects?: number } = {}) {
  const clock = fakeClock();
  const log: string[] = [];
  const dropped: string[] = [];
  /** Answers of the next calls; when there is none left all succeed. */
  const answers: (number | "hang")[] = [];
  function answer(line: string): Promise<KubeObject> {
    log.push(line);
    const next = answers.shift();
    if (next === "hang") return new Promise(() => undefined);
    if (next !== undefined) return Promise.reject(fault(next));
    return Promise.resolve({ apiVersion: "v1", kind: "Event", metadata: { name: "x" } });
  }
  const api: EventApi = {
    create: (_, object) =>
      answer(
        `create ×${String(object["count"])} ${String(object["message"])} about ${object.metadata.name.split(".")[0]!}`,
      ),
    patch: (_, target, { body }) => answer(`patch ${target.split(".")[0]!} ${JSON.stringify(body)}`),
  };
  let written = 0;
  const recorder = createEventRecorder({
    api,
    clock,
    reporter: { component: "harvest-controller", instance: "pod-1" },
    onWritten: () => (written += 1),
    onDropped: (reason) => dropped.push(reason),
    ...own,
  });
  return { clock, log, dropped, answers, recorder, written: () => written };
}

describe("the event recorder", () => {
  it("creates an event, and patches it when the same happens again", async () => {
    const { clock, log, recorder, written } = bench();
    recorder.record(happened("done"));
    await clock.pass(60_000);
    recorder.record(happened("done"));
    await settle();
    expect(log).toEqual([
      "create ×1 done about harbor",
      'patch geo/harbor {"message":"done","count":2,"lastTimestamp":"2026-12-01T00:01:00Z"}',
    ]);
    expect(written()).toBe(2);
  });

  it("writes once what happened several times before its turn came", async () => {
    const { log, recorder } = bench();
    recorder.record(happened("first"));
    for (let time = 0; time < 5; time += 1) recorder.record(happened("second"));
    await settle();
    expect(log).toEqual(["create ×1 first about harbor", "create ×5 second about harbor"]);
  });

  it("creates an event again that has gone from the server meanwhile", async () => {
    const { log, recorder, answers } = bench();
    recorder.record(happened("done"));
    await settle();
    answers.push(404);
    recorder.record(happened("done"));
    await settle();
    expect(log).toHaveLength(3);
    expect(log[2]).toBe("create ×2 done about harbor");
  });

  it("takes a create that is there already for one whose answer was lost", async () => {
    const { clock, log, recorder, answers, dropped } = bench();
    answers.push(0, 409);
    recorder.record(happened("done"));
    await clock.pass(1_000);
    expect(log.map((line) => line.split(" ")[0])).toEqual(["create", "create", "patch"]);
    expect(dropped).toEqual([]);
  });

  it("gives up what the server refuses, at once, and what does not pass after three tries", async () => {
    const { clock, log, recorder, answers, dropped } = bench();
    answers.push(403);
    recorder.record(happened("refused"));
    await settle();
    expect([log.length, dropped]).toEqual([1, ["failed"]]);
    answers.push(503, 429, 500);
    recorder.record(happened("busy"));
    await clock.pass(10_000);
    expect([log.length, dropped]).toEqual([4, ["failed", "failed"]]);
    recorder.record(happened("well"));
    await settle();
    expect(log[4]).toBe("create ×1 well about harbor");
  });

  it("counts what finds no room, and what one object says too much", async () => {
    const { recorder, answers, dropped } = bench({ room: 2 });
    answers.push("hang");
    for (const name of ["a", "b", "c", "d"]) recorder.record(happened("x", name));
    expect(dropped).toEqual(["full"]);
    for (let time = 0; time < 26; time += 1) recorder.record(happened("y", "b"));
    expect(dropped.filter((reason) => reason === "spam")).toHaveLength(2);
    await settle();
  });

  it("forgets the object not heard of for longest", async () => {
    const { log, recorder, clock } = bench({ objects: 2 });
    for (const name of ["a", "b", "a", "c", "a", "b"]) {
      recorder.record(happened("x", name));
      await clock.pass(1_000);
    }
    expect(log.map((line) => line.split(" ")[0])).toEqual([
      "create",
      "create",
      "patch",
      "create",
      "patch",
      "create",
    ]);
  });

  it("flushes, and waits no longer than it is told", async () => {
    const { clock, recorder, answers } = bench();
    await recorder.flush(1_000);
    recorder.record(happened("x"));
    await recorder.flush(1_000);
    expect(clock.waiting).toBe(0);
    answers.push("hang");
    recorder.record(happened("y"));
    const flushed = recorder.flush(1_000);
    await clock.pass(1_000);
    await flushed;
  });
});

/** Section C of the case log, end to end: what OAI errors do to a run. */
import { describe, expect, it } from "vitest";
import { START } from "./scene.js";
import { stage, table } from "./stage.js";

const open = stage();
const whole = { outcome: "complete", exitCode: 0 } as const;

describe("errors of the first list request", () => {
  table(open, [
    {
      name: "C34 noRecordsMatch is success: nothing came, and the watermark moves",
      arm: { kind: "oai-error", verb: "ListRecords", code: "noRecordsMatch", times: 0 },
      expect: { ...whole, verbs: ["Identify", "ListRecords"] },
      watermark: START,
      alive: 0,
    },
    {
      name: "C36 noRecordsMatch under HTTP 422 with Retry-After 3600 is success, and nobody waits",
      arm: {
        kind: "oai-error",
        verb: "ListRecords",
        code: "noRecordsMatch",
        status: 422,
        retryAfter: 3600,
        times: 0,
      },
      expect: { ...whole, waitedSeconds: 0 },
      watermark: START,
      alive: 0,
    },
    {
      name: "C37 badArgument under HTTP 200 is no empty page",
      arm: { kind: "oai-error", verb: "ListRecords", code: "badArgument", times: 0 },
      expect: { outcome: "failed", exitCode: 65, code: "BadArgument" },
      alive: 0,
    },
    {
      name: "C39 an error without a code is asked again, and then it was nothing",
      arm: { kind: "oai-error", verb: "ListRecords", code: "", value: "database down", times: 1 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C39 an error without a code that stays ends the run with its text",
      arm: { kind: "oai-error", code: "", value: "database down", after: 1, times: 0 },
      expect: { outcome: "failed", exitCode: 75, code: "UnknownOaiError" },
      alive: 0,
    },
    {
      name: "C41 a format the repository does not have is named, and is no empty harvest",
      sandbox: { formats: ["iso19139"] },
      arm: [],
      expect: { outcome: "failed", exitCode: 78, code: "FormatNotSupported" },
      alive: 0,
    },
    {
      name: "C42 a set that no longer exists is named, and is no empty harvest",
      spec: { sets: ["old-theme"] },
      arm: [],
      expect: { outcome: "failed", exitCode: 78, code: "SetVanished" },
      alive: 0,
    },
    {
      name: "C64 an error page without schemaLocation is read as the error it is",
      arm: [
        { kind: "oai-error", verb: "ListRecords", code: "noRecordsMatch", times: 0 },
        { kind: "no-schema-location", times: 0 },
      ],
      expect: whole,
      watermark: START,
      alive: 0,
    },
  ]);
});

it("C42 a set that is only empty is no fault", async () => {
  const { run, control, clock } = await open({ spec: { sets: ["office:1"] }, sandbox: { pageSize: 100 } });
  await run();
  clock.advance(3600);
  control.clearRequests();
  const quiet = await run();
  expect(quiet).toMatchObject({ ...whole, verbs: ["Identify", "ListRecords", "ListSets"] });
});

it("C42 a set that vanished for a while loses nothing: the watermark waits for it", async () => {
  const { run, control, clock, peek } = await open({ spec: { sets: ["office:1"] } });
  await run();
  clock.advance(3600);
  control.arm({ kind: "oai-error", verb: "ListRecords", code: "noRecordsMatch", times: 0 });
  control.arm({ kind: "oai-error", verb: "ListSets", code: "noRecordsMatch", times: 0 });
  expect(await run()).toMatchObject({ outcome: "failed", exitCode: 78, code: "SetVanished" });
  expect((await peek("office:1")).cursor).toEqual({ watermark: START });
  control.disarm();
  // Made half an hour before the run that saw no set.
  control.add({ localName: "meanwhile", sets: ["office:1"], stamp: Date.parse(START) / 1000 + 1800 });
  clock.advance(3600);
  expect(await run()).toMatchObject({ ...whole, counts: { read: 1, inserted: 1 } });
});

it("C44 a record that vanished between list and fetch is skipped, and is no removal", async () => {
  const { run, control, peek } = await open({ count: 5, spec: { delta: { mode: "snapshot" } } });
  control.arm({ kind: "oai-error", verb: "GetRecord", code: "idDoesNotExist", after: 2 });
  const ran = await run();
  expect(ran).toMatchObject({ ...whole, counts: { read: 5, inserted: 4, withdrawn: 0, quarantined: 0 } });
  expect((await peek()).alive).toBe(4);
});

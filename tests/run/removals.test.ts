/** Law 3 and section D of the case log, end to end: absence is not deletion. */
import { describe, expect, it } from "vitest";
import { START } from "./scene.js";
import { stage } from "./stage.js";

const open = stage();
const whole = { outcome: "complete", exitCode: 0 } as const;
const full = { delta: { mode: "full" }, deletions: { policy: "snapshot" } };
const refused = { outcome: "refused", exitCode: 65, code: "DeletionGuard" } as const;

describe("tombstones", () => {
  it("a deleted header withdraws the record; a change brings it back", async () => {
    const { run, control, clock, peek } = await open();
    await run();
    clock.advance(3600);
    control.delete(4);
    expect(await run()).toMatchObject({ ...whole, counts: { read: 1, withdrawn: 1 } });
    expect((await peek()).state(4)).toMatchObject({ deleted: true });
    clock.advance(3600);
    control.change(4);
    expect(await run()).toMatchObject({ ...whole, counts: { updated: 1 } });
    expect((await peek()).alive).toBe(30);
  });

  it("C49 deletes of records never seen are no work and no fault", async () => {
    const { run, peek } = await open({
      sandbox: { source: { kind: "generated", count: 30, deleted: 5 } },
    });
    expect(await run()).toMatchObject({ ...whole, counts: { read: 30, inserted: 25, withdrawn: 0 } });
    expect((await peek()).alive).toBe(25);
  });

  it("deletions.policy ignore withdraws nothing", async () => {
    const { run, control, clock, peek } = await open({ spec: { deletions: { policy: "ignore" } } });
    await run();
    clock.advance(3600);
    control.delete(4);
    expect(await run()).toMatchObject({ ...whole, counts: { read: 1, withdrawn: 0 } });
    expect((await peek()).alive).toBe(30);
  });

  it("C50 a record that left one set and is alive in another stays; it goes with its last set", async () => {
    const { run, control, peek } = await open({
      spec: { ...full, sets: ["office:1", "office:2"] },
    });
    const record = control.add({ localName: "twice", sets: ["office:1", "office:2"] });
    await run();
    const before = (await peek()).alive;
    control.change(record, { sets: ["office:2"] });
    expect((await run()).counts.withdrawn).toBe(0);
    expect((await peek()).alive).toBe(before);
    control.change(record, { sets: ["office:3"] });
    expect((await run()).counts.withdrawn).toBe(1);
    expect((await peek()).alive).toBe(before - 1);
  });
});

describe("sweeps", () => {
  it("C45 deletedRecord=no: a vanished record goes with the daily sweep, not before", async () => {
    const { run, control, clock, peek } = await open({ sandbox: { deletedRecord: "no" } });
    await run();
    control.remove(3);
    clock.advance(3600);
    expect(await run()).toMatchObject({ ...whole, verbs: ["Identify", "ListRecords"] });
    expect((await peek()).alive).toBe(30);
    clock.advance(24 * 3600);
    const swept = await run();
    expect(swept.verbs).toEqual([
      "Identify",
      "ListRecords",
      "ListIdentifiers",
      "ListIdentifiers",
      "ListIdentifiers",
    ]);
    expect(swept).toMatchObject({ ...whole, counts: { withdrawn: 1 } });
    expect((await peek()).cursor.sweptAt).toBe("2026-01-11T07:00:00Z");
  });

  it("C46 transient tombstones that were forgotten between runs are found by the sweep", async () => {
    const { run, control, clock, peek } = await open({ sandbox: { deletedRecord: "transient" } });
    await run();
    control.delete(3);
    control.forgetTombstones();
    clock.advance(25 * 3600);
    expect(await run()).toMatchObject({ ...whole, counts: { withdrawn: 1 } });
    expect((await peek()).alive).toBe(29);
  });

  it("C52 a record that fails a gate today has not gone; when it goes, its entry goes with it", async () => {
    const { run, control, peek } = await open({ spec: full });
    await run();
    control.change(5, { fault: "missing-title" });
    expect(await run()).toMatchObject({ ...whole, counts: { quarantined: 1, withdrawn: 0 } });
    expect((await peek()).state(5)).toMatchObject({ deleted: false });
    control.remove(5);
    expect(await run()).toMatchObject({ ...whole, counts: { withdrawn: 1 } });
    expect((await peek()).alive).toBe(29);
    expect((await peek()).state(5)?.quarantined).toBeUndefined();
  });

  it("C52 a record that was only ever refused leaves the quarantine when the source no longer has it", async () => {
    const { run, control, peek } = await open({ spec: full });
    control.change(5, { fault: "missing-title" });
    await run();
    expect((await peek()).state(5)?.quarantined).toBeDefined();
    control.remove(5);
    await run();
    expect((await peek()).state(5)?.quarantined).toBeUndefined();
  });
});

describe("the removal guard", () => {
  it("C35 noRecordsMatch on a full list withdraws nothing, and moves no watermark", async () => {
    const { run, control, clock, peek } = await open({ spec: full });
    await run();
    clock.advance(3600);
    control.arm({ kind: "oai-error", verb: "ListRecords", code: "noRecordsMatch", times: 0 });
    const ran = await run();
    expect(ran).toMatchObject(refused);
    expect(ran.message).toBe(
      "The source lists nothing any more, while 30 of its records are stored: none is withdrawn.",
    );
    expect(ran.remedy).toMatch(/^An empty list never withdraws anything\./);
    expect(await peek()).toMatchObject({ alive: 30, cursor: { watermark: START } });
  });

  it("C51 a list that shrank to a sixth withdraws nothing", async () => {
    const { run, control, peek } = await open({ count: 60, spec: full, sandbox: { listSize: false } });
    await run();
    control.arm({ kind: "list-cut-short", verb: "ListRecords", page: 1 });
    const ran = await run();
    expect(ran).toMatchObject(refused);
    expect(ran.message).toBe(
      "50 of 60 records (83.3 %) are missing from the source's list, more than 10 % and more than 20 records: none is withdrawn.",
    );
    expect((await peek()).alive).toBe(60);
  });

  it("C51 a list cut against its own size is no list to compare with", async () => {
    const { run, control, peek } = await open({ spec: full });
    await run();
    control.arm({ kind: "list-cut-short", verb: "ListRecords", page: 2 });
    expect(await run()).toMatchObject({ outcome: "partial", exitCode: 75, code: "ListIncomplete" });
    expect((await peek()).alive).toBe(30);
  });

  it("C51 a truncated page in the middle withdraws nothing", async () => {
    const { run, control, peek } = await open({ spec: full });
    await run();
    control.arm({ kind: "status", status: 404, verb: "ListRecords", page: 2, times: 0 });
    expect(await run()).toMatchObject({ outcome: "partial", exitCode: 69, counts: { withdrawn: 0 } });
    expect((await peek()).alive).toBe(30);
  });

  it("C99 a repository that renames all its identifiers trips the guard", async () => {
    const { run, control, peek } = await open({ spec: full });
    await run();
    control.renameIdentifiers("oai:new.example.org:");
    expect(await run()).toMatchObject(refused);
    // The thirty under their new names, and the thirty that were never withdrawn.
    expect((await peek()).alive).toBe(60);
  });

  it("a sweep within the guard withdraws, and raising the guard lets a large one through", async () => {
    const { run, control, peek } = await open({ count: 60, spec: full });
    await run();
    for (let i = 0; i < 30; i++) control.remove(i);
    expect(await run()).toMatchObject(refused);
    const allowed = { ...full, deletions: { policy: "snapshot", maxPercent: 60 } };
    expect(await run({ spec: allowed })).toMatchObject({ ...whole, counts: { withdrawn: 30 } });
    expect((await peek()).alive).toBe(30);
  });
});

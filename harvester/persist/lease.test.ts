import { describe, expect, it } from "vitest";
import { databases } from "../../tests/store/engines.js";
import { batch, change, hex, key, runEnd, runStart, sha } from "../../tests/store/samples.js";
import { processHolder } from "./process-identity.js";

const day1 = "2026-11-01T00:00:00Z";
const day2 = "2026-11-02T00:00:00Z";
const day3 = "2026-11-03T00:00:00Z";

describe.each(databases)("hold of a source on $name", (engine) => {
  it.skipIf(engine.missing)("C129 C130 lease, fencing and reaping", async () => {
    const opened = await engine.open();
    try {
      const db = opened.db!;
      const store = await opened.freshStore();
      const frozen = await store.begin(runStart({ holder: "pod-a" }));
      await frozen.commit(batch({ changes: [change("r1", "A")], cursor: { watermark: day1 } }));

      // Expired: another pod takes it; the frozen one wakes up and can write nothing.
      await db.script("UPDATE source_lease SET expires_at = now() - interval '1 s'");
      const second = await store.begin(runStart({ runId: "run-2", holder: "pod-b" }));
      await expect(
        frozen.commit(batch({ changes: [change("r1", "B")], cursor: { watermark: day3 } })),
      ).rejects.toMatchObject({ kind: "busy", code: "LeaseLost" });
      await expect(frozen.finish(runEnd())).rejects.toMatchObject({ code: "LeaseLost" });
      expect(await second.loadCursor(key)).toEqual({ watermark: day1 });
      expect(hex((await second.loadStates(["r1"])).get("r1")!.checksum)).toBe(hex(sha("A")));
      const runs = await db.query("SELECT run_id, status, code, exit_code FROM run ORDER BY run_id");
      expect(runs).toEqual([
        { run_id: "run-1", status: "failed", code: "vanished", exit_code: null },
        { run_id: "run-2", status: "running", code: null, exit_code: null },
      ]);

      // Not expired, but its process is known to be dead: at once.
      const [host, , start] = processHolder().split("/");
      await db.query("UPDATE source_lease SET holder = $1", [`${host!}/4194303/${start!}`]);
      const third = await store.begin(runStart({ runId: "run-3", holder: processHolder() }));
      // And not when its process lives.
      await expect(store.begin(runStart({ runId: "run-4" }))).rejects.toMatchObject({ code: "SourceHeld" });
      await third.finish(runEnd({ outcome: "partial", exitCode: 75, code: "throttled" }));
      const [last] = await db.query(
        "SELECT status, exit_code, code, message, counts ->> 'read' AS read FROM run WHERE run_id = 'run-3'",
      );
      expect(last).toEqual({
        status: "partial",
        exit_code: 75,
        code: "throttled",
        message: "Done.",
        read: "1",
      });
    } finally {
      await opened.close();
    }
  });

  it.skipIf(engine.missing)("the database itself refuses a watermark that goes back", async () => {
    const opened = await engine.open();
    try {
      const run = await (await opened.freshStore()).begin(runStart());
      await run.commit(batch({ cursor: { watermark: day2 } }));
      await expect(
        opened.db!.query("UPDATE cursor SET watermark = $1::text::timestamptz", [day1]),
      ).rejects.toThrow("only move forward");
      await expect(opened.db!.query("UPDATE cursor SET watermark = NULL")).rejects.toThrow(
        "only move forward",
      );
      await run.finish(runEnd());
    } finally {
      await opened.close();
    }
  });
});

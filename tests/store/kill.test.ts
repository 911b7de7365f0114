import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freshEmbeddedStore } from "../setup/embedded.js";
import { createDatabase, testPostgres } from "../setup/postgres.js";
import { commitPoints, type CommitPoint, type Left, type WriterTask } from "./kill-protocol.js";

const program = join(import.meta.dirname, "killed-writer.ts");
const server = await testPostgres();
afterAll(() => server?.stop());

interface Life {
  readonly left: Left;
  /** Highest batch acknowledged, or the watermark it began with. */
  readonly acknowledged: number;
}

/** A random death: so many milliseconds after so many batches were acknowledged. */
interface Death {
  readonly batches: number;
  readonly thenMs: number;
}

/** One life of the writer, until it kills itself or is killed. */
async function live(task: WriterTask, death?: Death): Promise<Life> {
  const child = spawn(process.execPath, ["--import", "tsx", program, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_, signal) => {
      resolve(signal);
    }),
  );
  let life: Life | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    life = heard(life, line);
    if (life.acknowledged - life.left.watermark !== death?.batches) continue;
    setTimeout(() => child.kill("SIGKILL"), death.thenMs);
  }
  const signal = await ended;
  if (life === undefined) throw new Error(`the writer said nothing (${String(signal)}): ${stderr}`);
  if (task.verifyOnly !== true) expect(signal, stderr).toBe("SIGKILL");
  return life;
}

function heard(life: Life | undefined, line: string): Life {
  const [word, value = ""] = line.split(/ (.*)/);
  if (word === "ack" && life !== undefined) return { ...life, acknowledged: Number(value) };
  const left = JSON.parse(value) as Left;
  return { left, acknowledged: left.watermark };
}

/** Life after life in one store; each checks what the one before it left. */
async function lives(task: WriterTask, deaths: readonly (CommitPoint | Death)[]): Promise<void> {
  let acknowledged = 0;
  for (const death of deaths) {
    const life = typeof death === "string" ? await live({ ...task, killAt: death }) : await live(task, death);
    judge(life, acknowledged);
    acknowledged = life.acknowledged + (death === "committed" ? 1 : 0);
  }
  const last = await live({ ...task, verifyOnly: true });
  judge(last, acknowledged);
  expect(last.left.watermark).toBeGreaterThan(0);
}

function judge(life: Life, acknowledgedBefore: number): void {
  expect(life.left.problem).toBeUndefined();
  // One batch may have been committed without its acknowledgement being heard; none may be lost.
  expect([acknowledgedBefore, acknowledgedBefore + 1]).toContain(life.left.watermark);
}

/** Deaths before, between and within the first batches of a life. */
function randomDeaths(count: number): readonly Death[] {
  return Array.from({ length: count }, (_, i) => ({ batches: i % 4, thenMs: Math.random() * 40 }));
}

describe("kill -9 (law 1)", () => {
  it.skipIf(server === undefined)(
    "50 times at random under load on PostgreSQL: nothing acknowledged lost, nothing doubled, watermark never ahead",
    { timeout: 600_000 },
    async () => {
      const database = await createDatabase(server!);
      const writers = ["one", "two", "three", "four", "five"];
      await Promise.all(
        writers.map((source) =>
          lives({ engine: "postgres", target: database.url, source }, randomDeaths(10)),
        ),
      );
      await database.drop();
    },
  );

  it.skipIf(server === undefined)("at every commit point on PostgreSQL", { timeout: 600_000 }, async () => {
    const database = await createDatabase(server!);
    await lives({ engine: "postgres", target: database.url, source: "points" }, commitPoints);
    await database.drop();
  });

  it("20 times at random and at every commit point on the embedded store", { timeout: 600_000 }, async () => {
    const stores = [await freshEmbeddedStore(), await freshEmbeddedStore()];
    const deaths = [
      [...randomDeaths(10), ...commitPoints.slice(0, 4)],
      [...randomDeaths(10), ...commitPoints.slice(4)],
    ];
    await Promise.all(
      stores.map(({ dir }, i) => lives({ engine: "embedded", target: dir, source: "county" }, deaths[i]!)),
    );
    for (const store of stores) store.remove();
  });
});

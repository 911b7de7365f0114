/** Controllers that are killed at a write, one life after the other, until there is nothing left to write. */
import { wordOf, type Passing } from "./api-proxy.js";
import type { TestController } from "./controller.js";
import { until, type ControllerStage } from "./controller-stage.js";

/** before: the write never left. after: the server has done it, and the controller never learned that. */
export type Moment = "before" | "after";

/**
 * Kills the controller with SIGKILL at its first write, starts another, and so on: at each write there is, at the given
 * moments, the last of which must be "after", until one has looked at everything and written nothing.
 * Each write that the server did, in order; digests in names are #.
 */
export async function killAtEachWrite(
  stage: ControllerStage,
  moments: readonly Moment[] = ["after"],
): Promise<readonly string[]> {
  const writes: string[] = [];
  // The next life may do the same once more, for nobody told it that it was done: that changes nothing, and is let through.
  const isNew = (passing: Passing): boolean => passing.write && plainWord(passing) !== writes.at(-1);
  for (;;) {
    let struck: Passing | undefined;
    for (const moment of moments) {
      struck = await oneLife(stage, moment, isNew);
      if (struck === undefined) return writes;
    }
    if (struck !== undefined) writes.push(plainWord(struck));
    if (writes.length > 30) throw new Error(`It never comes to rest: ${writes.join(", ")}`);
  }
}

/** The write at which it died; undefined = it was at rest. */
async function oneLife(
  stage: ControllerStage,
  moment: Moment,
  isNew: (passing: Passing) => boolean,
): Promise<Passing | undefined> {
  const { proxy } = stage;
  let struck: Passing | undefined;
  await stage.dropLease();
  const controller = stage.start();
  const strike = (passing: Passing): "reset" | undefined => {
    if (!isNew(passing)) return undefined;
    struck ??= passing;
    controller.kill("SIGKILL");
    return "reset";
  };
  proxy.weather =
    moment === "before"
      ? { before: strike }
      : {
          // Of several at once the first is let through.
          before: (passing) => (passing.write && struck !== undefined ? "reset" : undefined),
          after: strike,
        };
  try {
    await until(
      "it writes, or is at rest",
      async () => struck !== undefined || (await atRest(controller, stage)),
    );
    return struck;
  } finally {
    controller.kill("SIGKILL");
    await controller.ended;
    proxy.weather = {};
  }
}

/** It leads, has seen everything, has looked at every source, and nothing waits. */
export async function atRest(
  controller: Pick<TestController, "lines" | "metrics" | "url">,
  stage: Pick<ControllerStage, "list">,
): Promise<boolean> {
  if (!controller.lines().some(({ message }) => message === "Leading.")) return false;
  const sources = await stage.list("harvestsources");
  try {
    const { status } = await fetch(`${await controller.url()}/readyz`);
    const text = await controller.metrics();
    const waiting = sumOf(text, "workqueue_depth") + sumOf(text, "controller_runtime_active_workers");
    return status === 200 && waiting === 0 && sumOf(text, LOOKS) >= sources.length;
  } catch {
    // Killed in the middle of the question.
    return false;
  }
}

const LOOKS = "controller_runtime_reconcile_total";

/** How often it has looked at a source. */
export async function looksOf(controller: Pick<TestController, "metrics">): Promise<number> {
  return sumOf(await controller.metrics(), LOOKS);
}

/** Over all series of a metric. */
function sumOf(text: string, name: string): number {
  const values = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"));
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}

function plainWord(passing: Passing): string {
  return wordOf(passing)
    .replace(/\.(batch|networking\.k8s\.io|ingest\.geoportal\.io)/, "")
    .replace(/-w?[0-9a-f]{9,10}$/, "-#");
}

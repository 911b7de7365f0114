import { setFault } from "../detect/preflight.js";
import { exchange } from "../protocols/exchange.js";
import type { OpenRun } from "./run.js";
import type { SetTask } from "./task.js";

/**
 * A set that gives nothing may be empty, or renamed: then "0 records, all well" would be a lie for months (case C42).
 * Asked before the watermark moves, or what changes until the set is back would be lost. Throws Fault `config`.
 */
export async function demandSet(run: OpenRun, task: SetTask, received: number): Promise<void> {
  const { set } = task.key;
  const exists = task.proven.exists || set === "" || received > 0;
  if (!exists) await askForSet(run, task);
  task.proven.exists = true;
}

async function askForSet(run: OpenRun, task: SetTask): Promise<void> {
  const { sets } = run.protocol.inventory;
  const offered: string[] = [];
  let token: string | undefined;
  do {
    const page = await exchange(task.wire, sets.ask(run.source.spec, token), (response) =>
      sets.read(response),
    );
    offered.push(...page.sets);
    token = page.token === token ? undefined : page.token;
  } while (token !== undefined && offered.length < 100_000);
  const fault = setFault(task.key.set, offered);
  if (fault !== undefined) throw fault;
}

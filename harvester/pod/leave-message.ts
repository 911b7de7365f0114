/** The last words of a pod: the termination message for the controller, one line of JSON for the log. */
import { writeFile } from "node:fs/promises";
import { asFault, faultTable } from "../fault.js";
import { failureMessage } from "../report/summary.js";
import type { Environment } from "./environment.js";

/** `facts` go to the log whole, `message` (at most 4 KiB) where the kubelet reads it. */
export async function leaveMessage(
  environment: Environment,
  message: string,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = environment["HARVEST_TERMINATION_MESSAGE"] ?? "/dev/termination-log";
  // Nobody is left to tell: the log has the same facts.
  await writeFile(path, message).catch(() => undefined);
  process.stdout.write(`${JSON.stringify(facts)}\n`);
}

/** A pod that did not get as far as a result still leaves one: what failed, and what to do. Returns the exit code. */
export async function leaveFailure(
  environment: Environment,
  error: unknown,
  known: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const fault = asFault(error);
  const { exitCode } = faultTable[fault.kind];
  const { sentence, remedy } = fault.detail;
  const failure = { ...known, outcome: "failed", exitCode, code: fault.code, message: sentence, remedy };
  await leaveMessage(environment, failureMessage(failure), { level: "error", event: "failed", ...failure });
  return exitCode;
}

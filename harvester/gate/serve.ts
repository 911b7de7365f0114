/** The loop of a gate thread: one answer for every job, whatever the job does. */
import type { MessagePort } from "node:worker_threads";
import type { Verdict } from "../record.js";
import type { Judge } from "./judge.js";
import type { FromThread, ToThread } from "./thread-messages.js";

/** Answers jobs in their order until the thread is ended. `compile` is called once; what it throws makes the policy unusable. */
export function serve(port: MessagePort, compile: () => Judge): void {
  const judge = compiled(port, compile);
  if (judge === undefined) return;
  port.on("message", (job: ToThread) => {
    const answer = answerTo(job, judge);
    port.postMessage(answer, transferable(answer));
  });
  say(port, { kind: "ready" });
}

function compiled(port: MessagePort, compile: () => Judge): Judge | undefined {
  try {
    return compile();
  } catch (thrown) {
    say(port, { kind: "unusable", sentence: thrown instanceof Error ? thrown.message : String(thrown) });
    return undefined;
  }
}

/** Whatever a record makes the code throw is a crash on that record, and the thread is not trusted after it. */
function answerTo(job: ToThread, judge: Judge): FromThread {
  try {
    return { kind: "verdict", verdict: owned(judge.judge(job)) };
  } catch (thrown) {
    return { kind: "poisoned", reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Node's buffers may be views of larger ones, which would be copied whole. */
function owned(verdict: Verdict): Verdict {
  if (verdict.kind === "refused") return verdict;
  const checksum = Uint8Array.from(verdict.checksum);
  return verdict.kind === "pass"
    ? { ...verdict, checksum, packed: Uint8Array.from(verdict.packed) }
    : { ...verdict, checksum };
}

function transferable(answer: FromThread): ArrayBuffer[] {
  if (answer.kind !== "verdict" || answer.verdict.kind !== "pass") return [];
  const { buffer } = answer.verdict.packed;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

function say(port: MessagePort, message: FromThread): void {
  port.postMessage(message);
}

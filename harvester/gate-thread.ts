/**
 * The gates and the transform together: the one file that knows both stages. As a thread of the pool it serves jobs
 * one after the other; imported, it gives the same gates inside the process.
 */
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { crashVerdict } from "./gate/engine-verdict.js";
import type { GatePolicy, Gates } from "./gate/gate.js";
import { createJudge, type Judge } from "./gate/judge.js";
import type { FromThread, ThreadStart, ToThread } from "./gate/thread-messages.js";
import type { Verdict, Violation } from "./record.js";
import { transform } from "./transform/index.js";
import { capEngineMemory, EnginePoisoned } from "./xml/engine.js";
import { readTree, type XmlElement } from "./xml/tree.js";

/**
 * Gates without threads, for a handful of files a person has at hand: no deadline, and a crash of the engine ends all
 * later checks. Throws when the policy cannot be compiled (RuleSetRefused, SchemaRefused).
 */
export function createGates(policy: GatePolicy): Gates {
  const judge = judgeOf(policy);
  return {
    check: (job) => {
      try {
        return Promise.resolve(judge.judge(job));
      } catch (thrown) {
        if (thrown instanceof EnginePoisoned) return Promise.resolve(crashVerdict(thrown.message));
        throw thrown;
      }
    },
    close: () => {
      judge.dispose();
      return Promise.resolve();
    },
  };
}

function judgeOf(policy: GatePolicy): Judge {
  return createJudge(policy, (prefix, canonicalXml) => {
    const tree = treeOf(canonicalXml);
    return tree === undefined ? { kind: "unmappable", violation: NOT_CANONICAL } : transform(prefix, tree);
  });
}

/** Undefined where the record has no canonical form that could be read: see judge.ts. */
function treeOf(canonicalXml: Uint8Array): XmlElement | undefined {
  try {
    return readTree(canonicalXml);
  } catch {
    return undefined;
  }
}

const NOT_CANONICAL: Violation = {
  gate: "transform",
  rule: "not-canonical",
  severity: "error",
  message:
    "The record has no canonical form, because a namespace name in it is not an absolute URI: use the registered one.",
};

function serve(port: MessagePort, policy: GatePolicy): void {
  capEngineMemory();
  const judge = compiled(port, policy);
  if (judge === undefined) return;
  port.on("message", (job: ToThread) => {
    const answer = answerTo(job, judge);
    port.postMessage(answer, transferable(answer));
  });
  say(port, { kind: "ready" });
}

function compiled(port: MessagePort, policy: GatePolicy): Judge | undefined {
  try {
    return judgeOf(policy);
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

const start = workerData as Partial<ThreadStart> | null;
if (parentPort !== null && start?.role === "harvest-gate" && start.policy !== undefined)
  serve(parentPort, start.policy);

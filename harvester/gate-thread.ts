/**
 * The gates and the transform together: the one file that knows both stages. As a thread of the pool it serves jobs
 * one after the other; imported, it gives the same gates inside the process.
 */
import { parentPort, workerData } from "node:worker_threads";
import { crashVerdict } from "./gate/engine-verdict.js";
import type { GatePolicy, Gates } from "./gate/gate.js";
import { createJudge, type Judge } from "./gate/judge.js";
import { serve } from "./gate/serve.js";
import type { ThreadStart } from "./gate/thread-messages.js";
import type { Violation } from "./record.js";
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

const start = workerData as Partial<ThreadStart> | null;
if (parentPort !== null && start?.role === "harvest-gate" && start.policy !== undefined) {
  const { policy } = start;
  capEngineMemory();
  serve(parentPort, () => judgeOf(policy));
}

/** A gate thread whose transform really kills the XML engine on records that ask for it: a path of 20,000 steps overruns its stack. */
import { parentPort, workerData } from "node:worker_threads";
import { createJudge } from "../../harvester/gate/judge.js";
import { serve } from "../../harvester/gate/serve.js";
import type { ThreadStart } from "../../harvester/gate/thread-messages.js";
import { parseXml } from "../../harvester/xml/parse.js";
import { compileXPath, xpathContext } from "../../harvester/xml/xpath.js";

const { policy } = workerData as ThreadStart;
let judged = 0;

serve(parentPort!, () =>
  createJudge(policy, (_, canonicalXml) => {
    const text = Buffer.from(canonicalXml).toString("utf8");
    judged += 1;
    if (text.includes("crash always") || (text.includes("crash when worn") && judged > 1)) crash();
    if (text.includes("end the thread")) process.exit(3);
    return {
      kind: "unmappable",
      violation: { gate: "transform", rule: `judged-${String(judged)}`, severity: "error", message: text },
    };
  }),
);

function crash(): void {
  const parsed = parseXml(Buffer.from("<a/>"));
  if (parsed.kind === "broken") return;
  const context = xpathContext(parsed.document, new Map());
  context.evaluate(compileXPath(`.${"/descendant-or-self::node()/.".repeat(20_000)}`), parsed.document.root);
}

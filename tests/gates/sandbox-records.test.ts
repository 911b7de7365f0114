/** What the sandbox generates against the rules: sound records say all that is asked, and each fault is met by its gate. */
import { describe, expect, it } from "vitest";
import type { Format } from "../../cli/sandbox/content/format.js";
import { generatedContent } from "../../cli/sandbox/content/generated-content.js";
import { recordFaults } from "../../cli/sandbox/content/record-faults.js";
import { loadRuleSet } from "../../harvester/gate/schematron/load-rule-set.js";
import { parseXml } from "../../harvester/xml/parse.js";
import { preGate } from "../../harvester/xml/pre-gate.js";
import { compiled, shippedRules, shippedSchemas } from "./shipped-policy.js";

const gates = {
  iso19139: {
    schema: compiled(shippedSchemas, "schemas/iso19139.xsd"),
    rules: loadRuleSet({ entry: "rules/geo-business-rules.sch", files: shippedRules }),
  },
  oai_dc: {
    schema: compiled(shippedSchemas, "schemas/oai_dc.xsd"),
    rules: loadRuleSet({ entry: "rules/oai-dc-rules.sch", files: shippedRules }),
  },
};

function gateOf(body: Uint8Array, format: Format): { gate: string; rules: readonly string[] } {
  const ready = preGate(body, 10_000_000);
  if (ready.kind === "refused") return { gate: "well-formed", rules: [] };
  const parsed = parseXml(ready.utf8);
  if (parsed.kind === "broken") return { gate: "well-formed", rules: [] };
  try {
    if (gates[format].schema.validate(parsed.document, 1).length > 0) return { gate: "xsd", rules: [] };
    const failed = gates[format].rules.check(parsed.document, 50);
    const errors = failed.filter(({ severity }) => severity === "error");
    return {
      gate: errors.length > 0 ? "schematron" : "pass",
      rules: (errors.length > 0 ? errors : failed).map(({ rule }) => rule),
    };
  } finally {
    parsed.document.dispose();
  }
}

describe.each(["iso19139", "oai_dc"] as const)("generated records in %s", (format) => {
  it("pass when they are sound", () => {
    const content = generatedContent({ count: 200, seed: 11 });
    const refused = Array.from({ length: 200 }, (_, index) => ({
      index,
      ...gateOf(content.bodyOf(index, { format, version: 0 }), format),
    }));
    expect(refused.filter(({ gate }) => gate !== "pass")).toEqual([]);
  });

  it.each(recordFaults)(
    "with the fault $name are refused by the gate it names, if it damages them",
    ({ name, gate }) => {
      const content = generatedContent({ count: 20, seed: 12 });
      const found = Array.from({ length: 20 }, (_, index) =>
        gateOf(content.bodyOf(index, { format, version: 0, fault: name }), format),
      );
      expect(found.filter((verdict) => verdict.gate !== (gate[format] ?? "pass"))).toEqual([]);
    },
  );
});

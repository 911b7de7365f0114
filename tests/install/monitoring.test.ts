/** An alert about a series nobody writes never fires: every name and label is held against what the controller exposes. */
import { describe, expect, it } from "vitest";
import { conditionReasons } from "../../controller/status/vocabulary.js";
import { manifestsOf, readFile } from "./overlays.js";

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const [resource] = manifestsOf("manifests/install/components/monitoring/alerts.yaml");
const groups = (resource!["spec"] as { groups: readonly { rules: readonly AlertRule[] }[] }).groups;
const alerts = groups.flatMap(({ rules }) => rules);
const exposition = readFile("controller/metrics/exposition.golden.txt");

const words = "max min sum by for absent rate offset and or unless without".split(" ");

/** Names of series in an expression, with the label names that stand in braces behind them. */
function seriesIn(
  expression: string,
): readonly { readonly name: string; readonly labels: readonly string[] }[] {
  const found = expression
    .replaceAll(/by \([^)]*\)/g, "")
    .matchAll(/\b([a-z][a-z_]+)(?:\{([^}]*)\})?(?=[\s)[{]|$)/g);
  return [...found]
    .map(([, name = "", inside = ""]) => ({
      name,
      labels: [...inside.matchAll(/(\w+)!?=/g)].map(([, label = ""]) => label),
    }))
    .filter(({ name }) => !words.includes(name));
}

/** Labels the golden text shows for a series. */
function exposedLabels(name: string): readonly string[] | undefined {
  const lines = exposition.split("\n").filter((line) => new RegExp(`^${name}(\\{|\\s)`).test(line));
  if (lines.length === 0) return undefined;
  return [...(lines[0] ?? "").matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
}

describe("the alert rules", () => {
  it("are about what the issue asks for", () => {
    expect(alerts.map(({ alert }) => alert)).toEqual([
      "HarvestSourceStale",
      "HarvestSourceFailing",
      "HarvestSourceStalled",
      "HarvestQuarantineJump",
      "HarvestSourceDrifted",
      "HarvestSourcePausedLong",
      "HarvestControllerWithoutLeader",
      "HarvestControllerTwoLeaders",
      "HarvestReflectorSilent",
      "HarvestControllerBehind",
      "HarvestReconcileErrors",
    ]);
  });

  it.each(alerts)("$alert asks for series the controller has, by labels they have", ({ expr }) => {
    const series = seriesIn(expr);
    expect(series.length).toBeGreaterThan(0);
    for (const { name, labels } of series) {
      const exposed = exposedLabels(name);
      expect(exposed, name).toBeDefined();
      expect(exposed, name).toEqual(expect.arrayContaining([...labels]));
    }
  });

  it.each(alerts)("$alert asks for conditions there are", ({ expr }) => {
    for (const [, type = ""] of expr.matchAll(/type="([^"]+)"/g))
      expect(Object.keys(conditionReasons)).toContain(type);
  });

  it.each(alerts)(
    "$alert says how bad it is, what is so, and what to do",
    ({ labels, annotations, for: after, expr }) => {
      expect(labels.severity).toMatch(/^(critical|warning|info)$/);
      expect(annotations.summary.length).toBeGreaterThan(20);
      expect(annotations.description.length).toBeGreaterThan(40);
      expect(after).toMatch(/^\d+[mh]$/);
      // A label in the text must survive the aggregation.
      const kept = (/by \(([^)]*)\)/.exec(expr)?.[1] ?? "").split(/, */);
      for (const [, label = ""] of `${annotations.summary}${annotations.description}`.matchAll(
        /\$labels\.(\w+)/g,
      ))
        expect(kept).toContain(label);
    },
  );

  it("keep the labels of the series against those of the scrape", () => {
    const [monitor] = manifestsOf("manifests/install/components/monitoring/service-monitor.yaml");
    const { endpoints } = monitor!["spec"] as {
      endpoints: readonly { honorLabels: boolean; port: string }[];
    };
    expect(endpoints).toEqual([{ port: "http", interval: "30s", honorLabels: true }]);
  });
});

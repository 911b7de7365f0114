/**
 * Series in Prometheus's text format, written straight: thousands that are new with every scrape would keep prom-client, and
 * with it the whole loop, busy for a tenth of a second.
 */
import type { Definition } from "./definitions.js";

export interface Sample {
  /** In the order of the definition's labels. */
  readonly labels: readonly string[];
  readonly value: number;
}

export function seriesText({ name, type, help, labels }: Definition, samples: readonly Sample[]): string {
  const head = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
  const lines = samples.map(({ labels: values, value }) => {
    const pairs = labels.map((label, index) => `${label}="${escapedValue(values[index] ?? "")}"`);
    return `${name}{${pairs.join(",")}} ${String(value)}\n`;
  });
  return head + lines.join("");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapedValue(text: string): string {
  return escaped(text).replaceAll('"', '\\"');
}

/** The only door to prom-client: the metrics that are kept between scrapes, by their id in definitions.ts. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { definitions, sourceMetrics, type Definition, type KeptMetricId } from "./definitions.js";

export type Labels = Readonly<Record<string, string>>;

export interface Book {
  /** Adds to a counter. */
  count(id: KeptMetricId, labels: Labels, by?: number): void;
  /** Sets a gauge, or a counter that somebody else keeps. */
  set(id: KeptMetricId, labels: Labels, value: number): void;
  observe(id: KeptMetricId, labels: Labels, value: number): void;
  /** Forgets all series of a metric. */
  clear(id: KeptMetricId): void;
  text(): Promise<string>;
  readonly contentType: string;
}

type Metric = Counter | Gauge | Histogram;

const atScrape: ReadonlySet<string> = new Set(sourceMetrics);

/** `processDefaults`: CPU, memory, event loop and garbage collection of this process. */
export function createBook(processDefaults: boolean): Book {
  const registry = new Registry();
  const metrics = new Map<string, Metric>(
    Object.entries<Definition>(definitions)
      .filter(([id]) => !atScrape.has(id))
      .map(([id, definition]) => [id, createMetric(definition, registry)]),
  );
  if (processDefaults) collectDefaultMetrics({ register: registry });
  return {
    count: (id, labels, by = 1) => {
      counterOf(metrics, id).inc({ ...labels }, by);
    },
    set: (id, labels, value) => {
      const metric = metrics.get(id);
      if (metric instanceof Gauge) metric.set({ ...labels }, value);
      else counterOf(metrics, id).inc({ ...labels }, value);
    },
    observe: (id, labels, value) => {
      const metric = metrics.get(id);
      if (!(metric instanceof Histogram)) throw new TypeError(`${id} is no histogram.`);
      metric.observe({ ...labels }, value);
    },
    clear: (id) => {
      metrics.get(id)?.reset();
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function counterOf(metrics: ReadonlyMap<string, Metric>, id: KeptMetricId): Counter {
  const metric = metrics.get(id);
  if (!(metric instanceof Counter)) throw new TypeError(`${id} is no counter.`);
  return metric;
}

function createMetric(definition: Definition, registry: Registry): Metric {
  const { name, help, labels, buckets } = definition;
  const shape = { name, help, labelNames: [...labels], registers: [registry] };
  switch (definition.type) {
    case "counter":
      return new Counter(shape);
    case "gauge":
      return new Gauge(shape);
    case "histogram":
      return new Histogram({ ...shape, buckets: [...(buckets ?? [])] });
  }
}

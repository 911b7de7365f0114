import type { PageEvent } from "../protocols/page-events.js";
import { readPages } from "../protocols/pages.js";
import type { PageItem } from "../record.js";
import type { OpenRun } from "./run.js";
import type { SetTask } from "./task.js";

/** The whole list of a set as headers alone: for sweeps, and for delta.mode snapshot. */
export function readHeaders(run: OpenRun, task: SetTask): AsyncGenerator<PageEvent, void, void> {
  const { spec } = run.source;
  return readPages({
    protocol: run.protocol,
    spec,
    wire: task.wire,
    want: "headers",
    window: {},
    set: task.key.set,
    granularity: task.capabilities.granularity,
    limits: spec.limits,
  });
}

/** Seen is what was listed, sound or not: what cannot be read, or fails a gate, has not gone (case C52). Only a deleted header has. */
export function listedIdentifiers(items: readonly PageItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === "broken") return item.identifier ?? [];
    return item.header.deleted ? [] : item.header.identifier;
  });
}

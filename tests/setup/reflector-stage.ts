/** A reflector on a scripted source and a clock that stands: what it is told, what it asks, what it tells. */
import { ApiFault } from "../../controller/api.js";
import type { ReflectorOptions } from "../../controller/cluster/reflector-options.js";
import type { ReflectorNote } from "../../controller/cluster/reflector-state.js";
import { createReflector, type Reflector } from "../../controller/cluster/reflector.js";
import type { WatchEvent } from "../../controller/cluster/watch-source.js";
import type { KubeObject } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { fakeClock, settle, type FakeClock } from "./fake-clock.js";
import { scriptedSource, type ScriptedSource } from "./scripted-source.js";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

export function source(name: string, version: number, uid = `uid-${name}`): KubeObject {
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name, namespace: "geo", uid, resourceVersion: String(version) },
  };
}

export function event(type: WatchEvent["type"], object: KubeObject): WatchEvent {
  return { type, object };
}

export function bookmark(version: number): WatchEvent {
  return event("BOOKMARK", {
    apiVersion: "v1",
    kind: "HarvestSource",
    metadata: { name: "", resourceVersion: String(version) },
  });
}

export function status(code: number, reason: string): WatchEvent {
  const object = { apiVersion: "v1", kind: "Status", metadata: { name: "" }, code, reason };
  return event("ERROR", object);
}

export function fault(code: number, reason: string, retryAfterSeconds?: number): ApiFault {
  return new ApiFault(`watch harvestsources: ${reason}`, {
    status: code,
    reason,
    verb: "watch",
    resource: "harvestsources.ingest.geoportal.io",
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

export interface Stage {
  readonly clock: FakeClock;
  readonly source: ScriptedSource;
  readonly reflector: Reflector;
  /** `+geo/a@1`, `~geo/a@1>2`, `-geo/a@2`. */
  readonly told: string[];
  readonly notes: ReflectorNote[];
  readonly controller: AbortController;
}

export function stage(options: Partial<ReflectorOptions> = {}): Stage {
  const clock = fakeClock();
  const scripted = scriptedSource();
  const told: string[] = [];
  const notes: ReflectorNote[] = [];
  const reflector = createReflector({
    source: scripted,
    resource: resources.harvestSource,
    clock,
    random: () => 0,
    freeze: true,
    onChange: (key, change) => {
      if (change.type === "added") told.push(`+${key}@${version(change.object)}`);
      if (change.type === "changed") told.push(`~${key}@${version(change.old)}>${version(change.object)}`);
      if (change.type === "deleted") told.push(`-${key}@${version(change.old)}`);
    },
    onState: (note) => notes.push(note),
    ...options,
  });
  const controller = new AbortController();
  reflector.start(controller.signal);
  return { clock, source: scripted, reflector, told, notes, controller };
}

export function version(object: KubeObject): string {
  return object.metadata.resourceVersion ?? "?";
}

/** Listed at 10 with geo/a@1, and watching. */
export async function watching(options: Partial<ReflectorOptions> = {}): Promise<Stage> {
  const scene = stage(options);
  await settle();
  scene.source.lists[0]!.answer("10", [source("a", 1)]);
  await settle();
  scene.source.watches[0]!.accept();
  await settle();
  return scene;
}

export function keys({ reflector }: Stage): string[] {
  return reflector.lister.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? "?"}`);
}

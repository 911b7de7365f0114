import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../tests/setup/fake-clock.js";
import { ApiFault } from "../api.js";
import type { KubeObject } from "../object.js";
import { resources } from "../resources.js";
import { createReflector } from "./reflector.js";
import type { WatchEvent, WatchSource } from "./watch-source.js";

/** One thing that happens to the server or to the way there. */
type Step =
  | { readonly do: "put" | "delete" | "recreate"; readonly name: string }
  | { readonly do: "cut" | "compact" | "repeat" | "bookmark"; readonly name: string }
  | { readonly do: "wait"; readonly name: string };

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom<Step["do"]>(
    ...(["put", "put", "put", "delete", "recreate"] as const),
    ...(["cut", "compact", "repeat", "bookmark", "wait"] as const),
  ),
  name: fc.constantFrom("a", "b", "c"),
}) as fc.Arbitrary<Step>;

/** A server with a history: lists and watches answer as etcd would, over a line that breaks when it is told to. */
class HistoryServer implements WatchSource {
  readonly live = new Map<string, KubeObject>();
  readonly #log: WatchEvent[] = [];
  #version = 1;
  #lives = 0;
  #oldest = 0;
  #line: { at: number; broken: boolean; queue: WatchEvent[]; wake: () => void } | undefined;

  act({ do: what, name }: Step): void {
    const acts: Readonly<Record<Step["do"], () => void>> = {
      put: () => this.#put(name, this.live.get(name)?.metadata.uid),
      delete: () => this.#delete(name),
      recreate: () => {
        this.#delete(name);
        this.#put(name, undefined);
      },
      compact: () => (this.#oldest = this.#version),
      // A server that tells something twice, and late.
      repeat: () => this.#line?.queue.push(...this.#log.slice(-3, -1)),
      bookmark: () => this.#line?.queue.push(this.#bookmark()),
      cut: () => {
        if (this.#line !== undefined) this.#line.broken = true;
      },
      wait: () => undefined,
    };
    acts[what]();
    this.#line?.wake();
  }

  list(): ReturnType<WatchSource["list"]> {
    return Promise.resolve({ items: [...this.live.values()], resourceVersion: String(this.#version) });
  }

  watch(
    _resource: unknown,
    { resourceVersion }: { resourceVersion: string },
  ): Promise<AsyncIterable<WatchEvent>> {
    const from = Number(resourceVersion);
    if (from < this.#oldest) return Promise.reject(fault(410, "Expired"));
    const missed = this.#log.filter(({ object }) => Number(object.metadata.resourceVersion) > from);
    const line = { at: from, broken: false, queue: missed, wake: (): void => undefined };
    this.#line = line;
    return Promise.resolve(read(line));
  }

  #put(name: string, uid: string | undefined): void {
    const known = this.live.has(name);
    this.#version += 1;
    if (uid === undefined) this.#lives += 1;
    const metadata = {
      name,
      uid: uid ?? `life-${String(this.#lives)}`,
      resourceVersion: String(this.#version),
    };
    const object: KubeObject = { apiVersion: "v1", kind: "Thing", metadata };
    this.live.set(name, object);
    this.#tell({ type: known ? "MODIFIED" : "ADDED", object });
  }

  #delete(name: string): void {
    const old = this.live.get(name);
    if (old === undefined) return;
    this.#version += 1;
    this.live.delete(name);
    const metadata = { ...old.metadata, resourceVersion: String(this.#version) };
    this.#tell({ type: "DELETED", object: { ...old, metadata } });
  }

  #tell(event: WatchEvent): void {
    this.#log.push(event);
    this.#line?.queue.push(event);
  }

  #bookmark(): WatchEvent {
    const metadata = { name: "", resourceVersion: String(this.#version) };
    return { type: "BOOKMARK", object: { apiVersion: "v1", kind: "Thing", metadata } };
  }
}

async function* read(line: {
  broken: boolean;
  queue: WatchEvent[];
  wake: () => void;
}): AsyncGenerator<WatchEvent, void, undefined> {
  for (;;) {
    if (line.broken) throw fault(0, "ECONNRESET");
    const next = line.queue.shift();
    if (next === undefined) await new Promise<void>((resolve) => (line.wake = resolve));
    else yield next;
  }
}

function fault(status: number, reason: string): ApiFault {
  return new ApiFault(reason, { status, reason, verb: "watch", resource: "things" });
}

describe("whatever happens on the way", () => {
  it("the cache ends as the server is, and who only listened knows the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const clock = fakeClock();
        const server = new HistoryServer();
        const heard = new Map<string, KubeObject>();
        const wrong: string[] = [];
        const reflector = createReflector({
          source: server,
          resource: resources.pod,
          clock,
          random: () => 0.5,
          onChange: (key, change) => {
            const known = heard.get(key);
            if (change.type === "added" ? known !== undefined : known === undefined) wrong.push(change.type);
            if (change.type === "changed" && change.old !== known) wrong.push("old");
            if (change.type === "deleted") heard.delete(key);
            else heard.set(key, change.object);
          },
        });
        reflector.start(new AbortController().signal);
        await clock.pass(0);
        for (const one of steps) {
          server.act(one);
          if (one.do === "wait") await clock.pass(1_000);
        }
        await clock.pass(400_000);
        const truth = [...server.live].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
        expect(reflector.lister.list()).toEqual(truth);
        expect([...heard].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)).toEqual(truth);
        expect(wrong).toEqual([]);
        reflector.stop();
        // 25 steps break the line at most 25 times; the rest is silence every 150 s.
        const { lists, watches } = reflector.state().counts;
        expect(lists + watches).toBeLessThanOrEqual(60);
      }),
      { numRuns: 200 },
    );
  });
});

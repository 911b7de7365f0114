/** The writes of a plan, in order. The only place where the loop changes the cluster, but for status and events. */
import { ApiFault, type Api } from "./api.js";
import { finalizer, manager } from "./names.js";
import { keyOf, type KubeObject, type LiveSource } from "./object.js";
import type { Step } from "./plan/step.js";
import type { RecentWrites } from "./recent-writes.js";
import { resources } from "./resources.js";

export interface ApplyContext {
  readonly api: Api;
  readonly writes: RecentWrites;
  readonly source: LiveSource;
  /** Told of each step that was carried out. */
  onStep(step: Step): void;
}

type StepOf<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>;

/** Stops at the first write the server refuses and answers with it; what was done stays done, and the next pass goes on. */
export async function carryOut(steps: readonly Step[], context: ApplyContext): Promise<ApiFault | undefined> {
  try {
    for (const step of steps) {
      await carryOutOne(step, context);
      context.onStep(step);
    }
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ApiFault) return thrown;
    throw thrown;
  }
}

async function carryOutOne(step: Step, context: ApplyContext): Promise<void> {
  switch (step.kind) {
    case "apply":
      return applyChild(step, context);
    case "create":
      return create(step, context);
    case "delete":
      await context.api.delete(step.resource, step.key, { uid: step.uid, propagation: "Background" });
      return context.writes.forget(step.resource, step.key, step.uid);
    case "finalizer":
      return setFinalizer(step.present, context);
    case "brake":
      return brake(step, context);
    case "revert": {
      const written = await context.api.apply(resources.harvestSource, step.object, {
        manager: step.manager,
        force: true,
      });
      return context.writes.remember(resources.harvestSource, written);
    }
  }
}

async function applyChild(step: StepOf<"apply">, { api, writes }: ApplyContext): Promise<void> {
  const { resource, object, takeover, replaceUid } = step;
  const key = keyOf(object);
  if (replaceUid !== undefined)
    await api.delete(resource, key, { uid: replaceUid, propagation: "Background" });
  else if (takeover !== undefined)
    await api.patch(resource, key, { body: takeover, type: "application/json-patch+json", manager });
  writes.remember(resource, await api.apply(resource, object, { manager, force: true }));
}

async function create({ resource, object }: StepOf<"create">, { api, writes }: ApplyContext): Promise<void> {
  try {
    writes.remember(resource, await api.create(resource, object, manager));
  } catch (thrown) {
    if (!(thrown instanceof ApiFault) || thrown.reason !== "AlreadyExists") throw thrown;
  }
}

async function setFinalizer(present: boolean, { api, writes, source }: ApplyContext): Promise<void> {
  const { finalizers = [], resourceVersion } = source.metadata;
  const others = finalizers.filter((each) => each !== finalizer);
  const written = await api.patch(resources.harvestSource, keyOf(source), {
    body: { metadata: { resourceVersion, finalizers: present ? [...others, finalizer] : others } },
    type: "application/merge-patch+json",
    manager,
  });
  writes.remember(resources.harvestSource, written);
}

async function brake({ key, suspend }: StepOf<"brake">, { api, writes }: ApplyContext): Promise<void> {
  const written: KubeObject = await api.patch(resources.cronJob, key, {
    body: { spec: { suspend } },
    type: "application/merge-patch+json",
    manager,
  });
  writes.remember(resources.cronJob, written);
}

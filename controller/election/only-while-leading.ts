/**
 * The last look before a write. A process that was frozen (a paused machine, a stuck disk) may wake with answers in its hands
 * and write before any timer tells it that another leads by now.
 */
import { ApiFault, type Api } from "../api.js";
import { resourceName, type Resource } from "../resources.js";

/** The same Api, whose writes throw ApiFault with reason NotLeading while `leading()` is false. Reads, and dry runs, go on. */
export function onlyWhileLeading<A extends Api>(api: A, leading: () => boolean): A {
  function look(verb: string, resource: Resource): void {
    if (leading()) return;
    const name = resourceName(resource);
    const message = `${verb} ${name}: not sent, for this process does not lead (any more). The leader will do it.`;
    throw new ApiFault(message, { status: 0, reason: "NotLeading", verb, resource: name });
  }
  return {
    ...api,
    create: async (resource, ...rest) => {
      look("create", resource);
      return api.create(resource, ...rest);
    },
    apply: async (resource, object, options) => {
      if (options.dryRun !== true) look("patch", resource);
      return api.apply(resource, object, options);
    },
    patch: async (resource, target, change) => {
      if (change.dryRun !== true) look("patch", resource);
      return api.patch(resource, target, change);
    },
    delete: async (resource, ...rest) => {
      look("delete", resource);
      return api.delete(resource, ...rest);
    },
  };
}

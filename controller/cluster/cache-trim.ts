import type { KubeObject } from "../object.js";

/**
 * An object without metadata.managedFields: often half of its bytes, and needed only where drift is judged. For kinds
 * whose field owners nobody asks for (pods, jobs).
 */
export function withoutManagedFields(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields: undefined } };
}

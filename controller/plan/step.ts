import type { JsonObject, Key, KubeObject } from "../object.js";
import type { Resource } from "../resources.js";

/** One write to the cluster. */
export type Step =
  | {
      readonly kind: "apply";
      readonly resource: Resource;
      readonly object: KubeObject;
      /** missing = not there; changed = the source says something new; repair = somebody changed it by hand. */
      readonly why: "missing" | "changed" | "repair";
      /** changed and repair: which fields; repair: by whom too. For event and log. */
      readonly sentence?: string;
      /** A JSON patch of who owns what, to be written first, so that the apply removes what others added. */
      readonly takeover?: readonly JsonObject[];
      /** Cannot be changed in place: this object is deleted first. */
      readonly replaceUid?: string;
    }
  /** AlreadyExists is success: the name is the lock. */
  | { readonly kind: "create"; readonly resource: Resource; readonly object: KubeObject }
  | {
      readonly kind: "delete";
      readonly resource: Resource;
      readonly key: Key;
      readonly uid: string;
      readonly why: string;
    }
  | { readonly kind: "finalizer"; readonly present: boolean }
  /** Suspends a CronJob whose source cannot be rendered: the brake holds whatever else is wrong. */
  | { readonly kind: "brake"; readonly key: Key; readonly suspend: boolean }
  /** Puts back what the delivery said, under the delivery's own field manager: its next apply finds no conflict. */
  | {
      readonly kind: "revert";
      readonly object: KubeObject;
      readonly manager: string;
      readonly sentence: string;
    };

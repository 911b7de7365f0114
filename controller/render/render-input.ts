import type { LiveSource } from "../object.js";
import type { RenderSettings } from "../settings.js";

/** Everything the children of one source are made from. Equal input gives equal bytes. */
export interface RenderInput {
  /** Accepted by lint, with uid and namespace. Of its metadata only these two and the name are used. */
  readonly source: LiveSource;
  /** The policy bundle's ConfigMap in the source's namespace, and the SHA-256 of its files in hex. */
  readonly bundle: { readonly name: string; readonly digest: string };
  readonly settings: RenderSettings;
  /** The brake by annotation is on; spec.suspend is looked at as well. */
  readonly suspended: boolean;
}

/** What withdrawing needs: no bundle, which may be gone by then. */
export type WithdrawInput = Pick<RenderInput, "source" | "settings">;

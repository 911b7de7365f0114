import type { KubeObject } from "../object.js";
import { CONFIRM_ANNOTATION, type InventoryEntry } from "./decide.js";

/** In the controller's namespace. */
export const INVENTORY_NAME = "harvest-gitops-inventory";

/** What the sync remembers between passes, and shows to people. */
export interface Inventory {
  readonly entries: readonly InventoryEntry[];
  /** Last revision that was applied whole. */
  readonly revision?: string;
  /** When it last wrote anything. */
  readonly changeTime?: string;
  /** Why the last pass did nothing; absent = it was good. */
  readonly error?: string;
}

const MAX_ERROR = 2_000;
/** Far below what a ConfigMap holds. */
const MAX_ENTRIES = 8_000;
const ENTRY = /^([a-z0-9][a-z0-9-]{0,62}\/[a-z0-9][a-z0-9.-]{0,62}) ([0-9a-f]{16})$/;

/** A line somebody broke is left out: nothing is deleted because of it. */
export function readInventory(configMap: KubeObject | undefined): Inventory {
  const data = (configMap?.["data"] ?? {}) as Readonly<Record<string, unknown>>;
  const lines = textOf(data["objects"])?.split("\n").slice(0, MAX_ENTRIES) ?? [];
  const entries = lines.flatMap((line) => {
    const [, key, hash] = ENTRY.exec(line) ?? [];
    return key === undefined || hash === undefined ? [] : [{ key, hash }];
  });
  return {
    entries,
    revision: textOf(data["revision"]),
    changeTime: textOf(data["changeTime"]),
    error: textOf(data["error"]),
  };
}

/** The commit whose many deletions a person allowed. */
export function confirmedCommit(configMap: KubeObject | undefined): string | undefined {
  return configMap?.metadata.annotations?.[CONFIRM_ANNOTATION];
}

export function inventoryConfigMap(namespace: string, inventory: Inventory): KubeObject {
  const { entries, revision, changeTime, error } = inventory;
  const said = { revision, changeTime, error: error?.slice(0, MAX_ERROR) };
  const objects = [...entries]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, hash }) => `${key} ${hash}`)
    .join("\n");
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: INVENTORY_NAME,
      namespace,
      labels: { "app.kubernetes.io/managed-by": "harvest-controller" },
    },
    data: {
      ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
      objects,
    },
  };
}

/** True when a person would read the same; counts and milliseconds in an error do not make it another. */
export function sameInventory(a: Inventory, b: Inventory): boolean {
  return (
    a.revision === b.revision &&
    withoutNumbers(a.error) === withoutNumbers(b.error) &&
    linesOf(a.entries) === linesOf(b.entries)
  );
}

/** Everything either lists, the second's hash first: written before anything is applied, so that nothing is forgotten. */
export function union(
  before: readonly InventoryEntry[],
  after: readonly InventoryEntry[],
): readonly InventoryEntry[] {
  const known = new Set(before.map(({ key }) => key));
  // An object whose apply never happened must not look applied: its hash comes when all is done.
  return [
    ...before,
    ...after.filter(({ key }) => !known.has(key)).map(({ key }) => ({ key, hash: NOT_APPLIED })),
  ];
}

const NOT_APPLIED = "0".repeat(16);

function linesOf(entries: readonly InventoryEntry[]): string {
  return entries
    .map(({ key, hash }) => `${key} ${hash}`)
    .sort()
    .join("\n");
}

function withoutNumbers(text: string | undefined): string | undefined {
  return text?.slice(0, MAX_ERROR).replaceAll(/[0-9]+/g, "0");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The overlays of manifests/install, as kustomize builds them and as they are checked in. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseAllDocuments } from "yaml";
import { findAssets, noCluster } from "../setup/cluster-assets.js";

export const root = join(import.meta.dirname, "../..");
export const installFolder = join(root, "manifests/install");

export const shapes = ["namespaced", "cluster-wide", "high-availability", "source-namespace"] as const;
export type Shape = (typeof shapes)[number];

export const components = ["monitoring", "database", "git-sync"] as const;

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const assets = findAssets(["kubectl"]);
/** Undefined, with one line said, when there is none; throws then if REQUIRE names `cluster`. */
export const kubectl =
  assets === undefined ? noCluster("no kubectl found, which builds the overlays") : join(assets, "kubectl");

export function folderOf(shape: Shape): string {
  return shape === "source-namespace" ? join(installFolder, shape) : join(installFolder, "overlays", shape);
}

/** Text of `kubectl kustomize FOLDER`. */
export function kustomize(folder: string): string {
  if (kubectl === undefined) throw new Error("Asked for kustomize without kubectl.");
  return execFileSync(kubectl, ["kustomize", folder], { encoding: "utf8", maxBuffer: 1 << 26 });
}

/** The same of kustomizations of the test's own, by folder, beside ours; `{root}` in them is the repository. */
export function kustomizeTexts(kustomizations: Readonly<Record<string, string>>): string {
  // Inside the checkout, because kustomize takes no absolute path for a base.
  const top = mkdtempSync(join(root, ".scratch-install-"));
  try {
    for (const [name, text] of Object.entries(kustomizations)) {
      const folder = join(top, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "kustomization.yaml"), text.replaceAll("{root}", relative(folder, root)));
    }
    return kustomize(top);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** As kubectl reads it. */
export function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS() as Manifest);
}

export function manifestsOf(file: string): readonly Manifest[] {
  return manifestsIn(readFile(file));
}

export function readFile(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

export function idOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.namespace ?? ""}/${metadata.name}`;
}

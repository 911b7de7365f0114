/** The files of this package that harvestctl install reads: the definition, and the overlays as kustomize built them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { Fault } from "../harvester/fault.js";
import type { InstallObject, InstallShape } from "./install-objects.js";

/** kubectl still reads `off` and `0440` as YAML 1.1 does: what is text for us must be in quotes for it. */
const yaml = { version: "1.1", lineWidth: 0 } as const;

export interface InstallFiles {
  readonly rendered: readonly InstallObject[];
  readonly definition: InstallObject;
}

/** `root`: the folder of this package. Throws Fault `bug` when it lacks them. */
export async function readInstallFiles(root: string, shape: InstallShape): Promise<InstallFiles> {
  const [definition] = await objectsOf(join(root, "crds/ingest.geoportal.io_harvestsources.yaml"));
  const rendered = await objectsOf(join(root, `manifests/install/rendered/${shape}.yaml`));
  if (definition === undefined) throw missing("crds/ingest.geoportal.io_harvestsources.yaml");
  return { rendered, definition };
}

async function objectsOf(file: string): Promise<readonly InstallObject[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw missing(file, error);
  });
  // The library answers a text without documents with an object of another kind.
  const documents = parseAllDocuments(text, yaml);
  return "empty" in documents ? [] : documents.map((document) => document.toJS() as InstallObject);
}

function missing(file: string, cause?: unknown): Fault {
  return new Fault("bug", {
    code: "PackageIncomplete",
    sentence: `${file} cannot be read, and it is part of this program.`,
    remedy: "Install harvestctl anew.",
    cause,
  });
}

/** One document an object; the same objects, the same bytes. */
export function manifestText(objects: readonly InstallObject[]): string {
  return objects.map((object) => stringify(object, yaml)).join("---\n");
}

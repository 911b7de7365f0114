import { join, resolve } from "node:path";
import { didYouMean } from "../../../source/did-you-mean.js";
import type { Finding, Place } from "../../../source/finding.js";
import { judgeKind } from "../../../source/schema/manifest-kind.js";
import type { YamlDocument } from "../../../source/yaml/documents.js";
import { placeOf, type Path } from "../../../source/yaml/node-place.js";
import { BuiltObject } from "./built-object.js";
import { knownFields, notFollowed, type Kustomization } from "./kustomization.js";
import { localPath, type KustomizeFiles } from "./kustomize-files.js";
import { applyOldJsonPatches, applyPatches } from "./patches.js";
import { BuildProblem } from "./problem.js";
import { transformNames } from "./transform-names.js";

/** Deeper than any layering people use; kustomizations that name one another in a circle end here too. */
const MAX_DEPTH = 20;
const MAX_OBJECTS = 50_000;

/** One build: what kustomize would apply, and what was found on the way. */
export class Build {
  readonly findings: Finding[] = [];
  /** Folders of kustomizations that took part, as absolute paths. */
  readonly folders = new Set<string>();
  isComponent = false;
  private readonly files: KustomizeFiles;

  constructor(files: KustomizeFiles) {
    this.files = files;
  }

  /** The HarvestSources of a folder's kustomization. Throws BuildProblem where kustomize would fail. */
  run(folder: string): readonly BuiltObject[] {
    const from = { file: join(folder, "kustomization.yaml"), line: 1, column: 1, length: 1 };
    const kustomization = this.files.kustomization(folder, from);
    this.isComponent = kustomization.fields["kind"] === "Component";
    return this.apply(kustomization, { objects: [], trail: [resolve(folder)] });
  }

  private apply(kustomization: Kustomization, { objects, trail }: Layer): readonly BuiltObject[] {
    this.folders.add(resolve(kustomization.folder));
    this.judgeFields(kustomization);
    let now = [...objects, ...this.resources(kustomization, trail)];
    if (now.length > MAX_OBJECTS)
      throw new BuildProblem(
        placeOf(kustomization.yaml, []),
        "This builds more sources than can be checked.",
      );
    for (const { path, folder } of this.named(kustomization, "components"))
      now = [...this.enter(folder, placeOf(kustomization.yaml, path), { objects: now, trail })];
    const patched = applyPatches(now, kustomization, this.files);
    transformNames(patched, kustomization);
    return applyOldJsonPatches(patched, kustomization, this.files);
  }

  private resources(kustomization: Kustomization, trail: readonly string[]): readonly BuiltObject[] {
    const named = (["resources", "bases"] as const).flatMap((field) => this.named(kustomization, field));
    return named.flatMap(({ path, folder }) => {
      const place = placeOf(kustomization.yaml, path);
      if (this.files.isFolder(folder)) return this.enter(folder, place, { objects: [], trail });
      return this.files.read(folder, place).flatMap((yaml) => this.objectOf(yaml));
    });
  }

  private enter(folder: string, place: Place, { objects, trail }: Layer): readonly BuiltObject[] {
    const at = resolve(folder);
    if (trail.includes(at) || trail.length >= MAX_DEPTH)
      throw new BuildProblem(place, `${folder} names, by way of others, itself: there is no end to this.`);
    return this.apply(this.files.kustomization(folder, place), { objects, trail: [...trail, at] });
  }

  /** Other kinds are none of our business. */
  private objectOf(yaml: YamlDocument): readonly BuiltObject[] {
    const judged = judgeKind(yaml);
    if (judged === undefined) return [new BuiltObject(yaml)];
    if (judged.severity === "error") this.findings.push(judged);
    return [];
  }

  /** The folders and files of a list, without those that would have to be fetched. */
  private named({ folder, fields, yaml }: Kustomization, field: string): readonly Named[] {
    const list = fields[field];
    if (!Array.isArray(list)) return [];
    return list.flatMap((written: unknown, i) => {
      const path = [field, i];
      if (typeof written !== "string")
        throw new BuildProblem(placeOf(yaml, path), `An entry of ${field} is a path.`);
      const local = localPath(folder, written);
      if (local !== undefined) return [{ path, folder: local }];
      this.findings.push(remote(placeOf(yaml, path), written));
      return [];
    });
  }

  private judgeFields({ fields, yaml }: Kustomization): void {
    for (const field of Object.keys(fields)) {
      if (!knownFields.includes(field)) throw unknownField(placeOf(yaml, [field], "key"), field);
      if (notFollowed.includes(field)) this.findings.push(unfollowed(placeOf(yaml, [field], "key"), field));
    }
  }
}

interface Layer {
  /** What a component changes. */
  readonly objects: readonly BuiltObject[];
  /** Folders entered on the way here. */
  readonly trail: readonly string[];
}

interface Named {
  readonly path: Path;
  readonly folder: string;
}

function unknownField(place: Place, field: string): BuildProblem {
  const meant = didYouMean(field, knownFields);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new BuildProblem(
    place,
    `A kustomization has no field ${JSON.stringify(field.slice(0, 80))}.${hint}`,
  );
}

function remote(place: Place, resource: string): Finding {
  return {
    rule: "kustomize/remote",
    severity: "info",
    place,
    sentence: `${withoutSecrets(resource).slice(0, 200)} lies elsewhere and is not fetched: what it holds is not checked.`,
    remedy: "To have it checked, copy it into the repository.",
  };
}

/** Addresses may carry a password. */
function withoutSecrets(resource: string): string {
  return resource.replace(/\/\/[^/@]*@/, "//").replace(/\?.*$/, "");
}

function unfollowed(place: Place, field: string): Finding {
  return {
    rule: "kustomize/not-followed",
    severity: "info",
    place,
    sentence: `${field} can change sources in ways that lint does not follow; they are checked as they are without it.`,
    remedy: "Check what is built too: kubectl kustomize . | harvestctl lint --stdin",
  };
}

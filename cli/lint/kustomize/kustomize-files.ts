import { dirname, join } from "node:path";
import type { Finding, Place } from "../../../source/finding.js";
import { ambiguousScalars } from "../../../source/schema/ambiguous-scalar.js";
import { readDocuments, type YamlDocument } from "../../../source/yaml/documents.js";
import { readText } from "../../../source/yaml/read-text.js";
import { asFields } from "./built-object.js";
import { isRemote, kustomizationNames, type Kustomization } from "./kustomization.js";
import { BuildProblem } from "./problem.js";

/** What a build asks of the disk. Paths are as they are named in findings. */
export interface Disk {
  /** undefined = there is no such file. Throws an Error that says why it must not be read. */
  read(path: string): Uint8Array | undefined;
  isFolder(path: string): boolean;
}

/** The files of a build, each read once, and what was found while they were. */
export class KustomizeFiles {
  /** Every file that took part. */
  readonly texts = new Map<string, Uint8Array>();
  readonly findings: Finding[] = [];
  private readonly documents = new Map<string, readonly YamlDocument[]>();
  private readonly disk: Disk;

  constructor(disk: Disk) {
    this.disk = disk;
  }

  isFolder(path: string): boolean {
    return this.disk.isFolder(path);
  }

  /** The documents of a file. Throws BuildProblem when it is not there. */
  read(path: string, from: Place): readonly YamlDocument[] {
    const known = this.documents.get(path);
    if (known !== undefined) return known;
    const bytes = this.bytesOf(path, from);
    if (bytes === undefined) throw new BuildProblem(from, `There is no file ${path}.`);
    this.texts.set(path, bytes);
    const documents = this.parsed(path, bytes);
    this.documents.set(path, documents);
    return documents;
  }

  /** The kustomization of a folder. Throws BuildProblem when there is none, or one that is no map. */
  kustomization(folder: string, from: Place): Kustomization {
    const path = kustomizationNames
      .map((name) => join(folder, name))
      .find((each) => this.bytesOf(each, from) !== undefined);
    if (path === undefined) throw new BuildProblem(from, `There is no kustomization.yaml in ${folder}.`);
    const [yaml] = this.read(path, from);
    const fields = asFields(yaml?.value);
    if (yaml === undefined || fields === undefined)
      throw new BuildProblem(
        { ...from, file: path, line: 1, column: 1, length: 1 },
        `${path} is no kustomization.`,
      );
    return { folder: dirname(path), yaml, fields };
  }

  private bytesOf(path: string, from: Place): Uint8Array | undefined {
    try {
      return this.disk.read(path);
    } catch (error) {
      throw new BuildProblem(from, error instanceof Error ? error.message : String(error));
    }
  }

  private parsed(path: string, bytes: Uint8Array): readonly YamlDocument[] {
    const text = readText(bytes, path);
    if (!text.ok) {
      this.findings.push(text.finding);
      return [];
    }
    const { documents, findings } = readDocuments(text.text, path);
    this.findings.push(...findings, ...documents.flatMap((document) => ambiguousScalars(document)));
    return documents;
  }
}

/** The folder or file a resource names, seen from its kustomization; undefined when it lies elsewhere on the network. */
export function localPath(folder: string, resource: string): string | undefined {
  return isRemote(resource) ? undefined : join(folder, resource);
}

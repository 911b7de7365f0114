import { Flags } from "@oclif/core";
import { readFile, stat, writeFile } from "node:fs/promises";
import { Fault } from "../../harvester/fault.js";
import { contentHash, sortedFiles } from "../../source/bundle/bundle-contents.js";
import { annotationBytes, bundleLimits } from "../../source/bundle/bundle-limits.js";
import { BaseCommand, rootFlag } from "../base-command.js";
import { bundleDifferences, type Difference } from "../bundle-check.js";
import { readPolicyFolder, type PolicyFolder } from "../bundle-files.js";
import {
  bundleObjects,
  jsonText,
  yamlText,
  type BundleObject,
  type BundleObjects,
} from "../bundle-objects.js";
import { exitCode } from "../exit-codes.js";
import { bundleText, checkText, type BundleFacts } from "../format/bundle.js";

interface BundleResult extends BundleFacts {
  /** Where it was written. */
  readonly out?: string;
  /** What was written, where no file was named. */
  readonly objects?: readonly BundleObject[];
  readonly check?: {
    readonly file: string;
    readonly fresh: boolean;
    readonly differences: readonly Difference[];
  };
}

/** More than any file this command writes. */
const MAX_CHECKED = 8 * 1024 * 1024;

export default class Bundle extends BaseCommand {
  static override summary = "Pack schemas/ and rules/ into the ConfigMap that harvest pods read.";
  static override description = `Packs the policy of a folder into one immutable ConfigMap, named by a digest of the files, and writes it as YAML. The same files give the same digest on every machine. With --check it writes nothing and tells whether a file written before still is the policy (for CI). docs/bundle.md shows how kustomize, Flux and Argo CD deliver it.

Exit codes: 0 written or up to date, 1 with --check: stale, 2 it could not be done.`;
  static override examples = [
    "<%= config.bin %> bundle",
    "<%= config.bin %> bundle --namespace harvest --fair-use --out deploy/policy.yaml",
    "<%= config.bin %> bundle --namespace harvest --fair-use --check deploy/policy.yaml",
    "<%= config.bin %> bundle --json",
  ];
  static override flags = {
    ...rootFlag,
    out: Flags.string({ summary: "Write to this file instead of standard output.", exclusive: ["check"] }),
    namespace: Flags.string({
      summary: "Namespace of the ConfigMaps; without it whoever applies them says.",
    }),
    check: Flags.string({ summary: "Compare this file with the policy; write nothing." }),
    "fair-use": Flags.boolean({
      summary: "Also the ConfigMap harvest-fair-use: the ceilings, for the admission policy.",
    }),
    kustomize: Flags.boolean({
      summary:
        "Also the ConfigMap harvest-policy-bundle, from which kustomize replacements copy the bundle's name.",
    }),
    format: Flags.string({ summary: "How it is written.", options: ["yaml", "json"], default: "yaml" }),
  };

  async run(): Promise<BundleResult> {
    const { flags } = await this.parse(Bundle);
    const folder = await readPolicyFolder(flags.root);
    const made = bundleObjects({
      files: folder.files,
      namespace: namespaceOf(flags.namespace),
      fairUse: flags["fair-use"],
      kustomize: flags.kustomize,
    });
    const facts = factsOf(folder, made);
    if (flags.check !== undefined) return { ...facts, check: await this.compare(flags.check, folder, made) };
    const text = flags.format === "json" ? jsonText(made.objects) : yamlText(made.objects);
    this.logToStderr(bundleText(facts, this.theme(process.stderr)));
    if (flags.out === undefined) {
      if (!this.jsonEnabled()) process.stdout.write(text);
      return { ...facts, objects: made.objects };
    }
    await written(flags.out, text);
    return { ...facts, out: flags.out };
  }

  private async compare(
    file: string,
    { files }: PolicyFolder,
    { objects }: BundleObjects,
  ): Promise<BundleResult["check"]> {
    const differences = bundleDifferences(await checkedText(file), { files, objects });
    this.log(checkText(file, differences, this.theme()));
    const fresh = differences.length === 0;
    this.finish(fresh ? exitCode.clean : exitCode.findings);
    return { file, fresh, differences };
  }
}

function factsOf({ files, warnings }: PolicyFolder, { packed, objects }: BundleObjects): BundleFacts {
  const packedBytes = packed.bytes.length;
  const written = Buffer.byteLength(jsonText(objects.slice(0, 1)));
  return {
    name: objects[0]?.metadata.name ?? "",
    digest: packed.digest,
    files: sortedFiles(files).map(([path, content]) => ({
      path,
      bytes: content.length,
      sha256: contentHash(content),
    })),
    unpackedBytes: packed.unpackedBytes,
    packedBytes,
    percentOfLimit: Math.round((packedBytes / bundleLimits.configMapBytes) * 1000) / 10,
    warnings: written < annotationBytes ? warnings : [...warnings, serverSide(written)],
  };
}

function serverSide(size: number): string {
  return `The ConfigMap has ${String(size)} bytes: kubectl apply keeps a copy in an annotation of at most ${String(annotationBytes)}, so apply it with --server-side (Flux does; Argo CD with ServerSideApply=true).`;
}

function namespaceOf(given: string | undefined): string | undefined {
  if (given === undefined || /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(given)) return given;
  throw new Fault("config", {
    code: "BadNamespace",
    sentence: `${JSON.stringify(given.slice(0, 100))} can be no namespace.`,
    remedy: "A namespace has at most 63 lower-case letters, digits and dashes.",
  });
}

async function written(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    throw new Fault("config", {
      code: "NotWritten",
      sentence: `${file} could not be written (${codeOf(error)}).`,
      remedy: "Check that its folder exists and that you may write there.",
      cause: error,
    });
  });
}

async function checkedText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MAX_CHECKED) throw Object.assign(new Error(), { code: "more than 8 MiB" });
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Fault("config", {
      code: "PathUnreadable",
      sentence: `${file} could not be read (${codeOf(error)}).`,
      remedy: "Write it first: harvestctl bundle --out FILE.",
      cause: error,
    });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}

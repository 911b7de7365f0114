/** Lays the policy bundle out as the folder a run reads: HARVEST_BUNDLE (a mounted ConfigMap) into HARVEST_ROOT (an emptyDir). */
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { bundleKey } from "../source/bundle/bundle-config-map.js";
import { bundleLimits } from "../source/bundle/bundle-limits.js";
import { unpackBundle, type UnpackedBundle } from "../source/bundle/unpack-bundle.js";
import { Fault } from "./fault.js";

export interface BundlePlaces {
  /** Folder that holds policy.json.gz. */
  readonly bundle: string;
  /** Made when absent, in a folder that is there. It may hold nothing but files of this bundle: a container that starts again finds its own. */
  readonly root: string;
  /** SHA-256 in hex the bundle must have; absent = any. */
  readonly digest?: string | undefined;
}

/** Returns the digest of what was unpacked. Throws Fault `config`: unreadable, another digest, root in use or not writable. */
export async function unpackInto(places: BundlePlaces): Promise<string> {
  const { digest, files } = await readPacked(places);
  try {
    // Not recursive: below a folder where nothing can be made, as /proc, Node would try for ever.
    await mkdir(places.root).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
    await demandOurs(places.root, files);
    for (const [path, bytes] of files) {
      const full = join(places.root, path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, bytes);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unusable(
      "BundleRoot",
      `The policy bundle cannot be unpacked into ${places.root}: ${codeOf(error)}.`,
      {
        remedy: "Mount a writable empty folder there (emptyDir), or name another one in HARVEST_ROOT.",
        error,
      },
    );
  }
  return digest;
}

type Unpacked = Extract<UnpackedBundle, { kind: "unpacked" }>;

async function readPacked({ bundle, digest }: BundlePlaces): Promise<Unpacked> {
  const file = join(bundle, bundleKey);
  const bytes = await readBounded(file).catch((error: unknown) => {
    throw unusable("BundleMissing", `The policy bundle ${file} cannot be read: ${codeOf(error)}.`, {
      remedy:
        "Check that the ConfigMap of the bundle is in this namespace and has the key policy.json.gz (harvestctl bundle writes it).",
      error,
    });
  });
  const unpacked = unpackBundle(bytes, digest);
  if (unpacked.kind === "unpacked") return unpacked;
  throw unusable(unpacked.reason, `${file}: ${unpacked.sentence}`, {
    remedy:
      "Write the bundle anew with harvestctl bundle, and deliver it together with what names its digest.",
  });
}

async function readBounded(file: string): Promise<Uint8Array> {
  const { size } = await stat(file);
  // One byte more than is unpacked, so that the refusal is the unpacker's.
  return size > bundleLimits.packedBytes ? new Uint8Array(bundleLimits.packedBytes + 1) : readFile(file);
}

/** Anything else that lies there could be imported by a rule file without being part of the digest. */
async function demandOurs(root: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
    // The embedded store of a pod without a database lies there too.
    if (path === ".harvest" || path.startsWith(".harvest/")) continue;
    if (entry.isDirectory() || (entry.isFile() && files.has(path))) continue;
    throw unusable(
      "BundleRoot",
      `${root} already holds ${path.slice(0, 200)}, which is no file of the policy bundle.`,
      { remedy: "HARVEST_ROOT must be an empty folder of its own when HARVEST_BUNDLE is set." },
    );
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const why: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file or folder",
    ENOTDIR: "it, or a part of its path, is no folder",
    EACCES: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "there is no space left",
    EISDIR: "it is a folder",
  };
  return why[code] ?? code;
}

function unusable(
  code: string,
  sentence: string,
  more: { readonly remedy: string; readonly error?: unknown },
): Fault {
  return new Fault("config", { code, sentence, remedy: more.remedy, cause: more.error });
}

import { Fault } from "../../harvester/fault.js";

/** One side of a comparison as files. Links and submodules are no files: what they lead to is not part of the policy. */
export interface Side {
  /** "3f2a91c", "working tree", "folder policy". */
  readonly label: string;
  /** Paths of all files, from the root of the repository; of a folder, as if it were the place one stands in. */
  readonly files: ReadonlySet<string>;
  /** Paths that are no files, though they are committed or lie there: links and submodules. */
  readonly passedOver: ReadonlySet<string>;
  /**
   * Contents by path; paths that are no files are left out. A file larger than `maxBytes` is given as that many zeros as
   * it has bytes (at most 64 MiB), so that whoever reads it tells its size. Throws Fault `config` when a file is gone or
   * cannot be read.
   */
  read(paths: readonly string[], maxBytes: number): Promise<ReadonlyMap<string, Uint8Array>>;
}

const MAX_FILES = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ZEROS = 64 * 1024 * 1024;

/** Throws Fault `config`: more is no policy, but a mistake in a path. */
export function refuseTooMany(paths: readonly string[], side: string): void {
  if (paths.length <= MAX_FILES) return;
  throw new Fault("config", {
    code: "TooManyFiles",
    sentence: `There are ${paths.length.toLocaleString("en-US")} files to read in ${side}; at most 10,000 are.`,
    remedy:
      "Name the folder that holds the manifests, and with --root the one that holds rules/ and schemas/.",
  });
}

/** Throws Fault `config` when files that are to be read have more than 256 MiB together. */
export function refuseTooBig(sizes: Iterable<number>, side: string): void {
  let sum = 0;
  for (const size of sizes) sum += size;
  if (sum <= MAX_BYTES) return;
  throw new Fault("config", {
    code: "TooBig",
    sentence: `The files of ${side} have more than 256 MiB together.`,
    remedy:
      "Name the folder that holds the manifests, and with --root the one that holds rules/ and schemas/.",
  });
}

/** Stands for a file nobody will read. */
export function zeros(size: number): Uint8Array {
  return new Uint8Array(Math.min(size, MAX_ZEROS));
}

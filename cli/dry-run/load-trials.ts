import type { Fault } from "../../harvester/fault.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { usableSources } from "../../source/usable-sources.js";
import { noSource, unusableManifest } from "../load-sources.js";
import { readManifestFiles } from "../manifest-files.js";

/** A file that cannot be used: its sources would fail, those of others are tried all the same. */
export interface BrokenManifest {
  readonly file: string;
  readonly fault: Fault;
}

export interface Trials {
  readonly sources: readonly HarvestSource[];
  readonly broken: readonly BrokenManifest[];
}

/** Throws Fault `config` when nothing at these paths can be tried. */
export async function loadTrials(paths: readonly string[]): Promise<Trials> {
  const files = await readManifestFiles(paths);
  const parsed = files.map(({ path, bytes, named }) => ({
    path,
    ...usableSources(bytes, { file: path, named }),
  }));
  const broken = parsed.flatMap(({ path, errors }): BrokenManifest[] => {
    const [first] = errors;
    return first === undefined ? [] : [{ file: path, fault: unusableManifest(first, errors.length) }];
  });
  const sources = parsed.flatMap((file) =>
    file.errors.length > 0 ? [] : file.sources.map(({ source }) => source),
  );
  const [first] = broken;
  if (sources.length > 0) return { sources, broken };
  throw first?.fault ?? noSource(paths);
}

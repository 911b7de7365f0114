import { Fault } from "../harvester/fault.js";
import type { Finding } from "../source/finding.js";
import type { HarvestSource } from "../source/harvest-source.generated.js";
import { usableSources } from "../source/usable-sources.js";
import { readManifestFiles } from "./manifest-files.js";

/** The sources at these paths. Throws Fault `config` with the first finding that keeps one from being used. */
export async function loadSources(paths: readonly string[]): Promise<readonly HarvestSource[]> {
  const files = await readManifestFiles(paths);
  const parsed = files.map(({ path, bytes, named }) => usableSources(bytes, { file: path, named }));
  const errors = parsed.flatMap((p) => p.errors);
  const [first] = errors;
  if (first !== undefined) throw unusableManifest(first, errors.length);
  const sources = parsed.flatMap((p) => p.sources.map(({ source }) => source));
  if (sources.length === 0) throw noSource(paths);
  return sources;
}

/** The first finding that keeps a manifest from being used, of so many. */
export function unusableManifest({ place, sentence, remedy }: Finding, total: number): Fault {
  const more = total > 1 ? ` (and ${(total - 1).toString()} more: harvestctl lint shows them all)` : "";
  const where = `${place.file}:${place.line.toString()}:${place.column.toString()}`;
  return new Fault("config", { code: "BadManifest", sentence: `${where}: ${sentence}${more}`, remedy });
}

/** Nothing at these paths is a source. */
export function noSource(paths: readonly string[]): Fault {
  return new Fault("config", {
    code: "NoSource",
    sentence: `There is no HarvestSource in ${paths.join(", ")}.`,
    remedy: "Name a manifest, or a folder that holds one.",
  });
}

/** Records in a folder of XML files: nobody has judged them, so both sides are asked. */
import { createHash } from "node:crypto";
import type { ImpactItem, ImpactRecords, NamedSource, SurveyedSource } from "./impact.js";
import { findRecordFiles, readRecord, sourcesOf, type RecordFile } from "./record-files.js";

export interface FolderItems extends ImpactRecords {
  /** Files that are records of no source whose policy changes; known after `survey`. */
  strangers(): number;
}

/** Throws Fault `config` when the folder cannot be read or holds no record. */
export async function folderItems(folder: string): Promise<FolderItems> {
  const files = await findRecordFiles(folder);
  const placed = new Map<string, RecordFile[]>();
  let strangers = 0;
  return {
    async survey(sources) {
      placed.clear();
      strangers = 0;
      for (const file of files) {
        const names = await sourcesOf(folder, file, sources);
        for (const name of names) add(placed, name, file);
        if (names.length === 0) strangers += 1;
      }
      return surveyed(sources, placed);
    },
    all: (name) => readAll(folder, placed.get(name) ?? []),
    sample(names, { size, seed }) {
      const chosen = names
        .flatMap((name) => (placed.get(name) ?? []).map((file) => ({ name, file })))
        .map((one) => ({ ...one, rank: rankOf(seed, one.name, one.file.path) }))
        .sort((a, b) => (a.rank < b.rank ? -1 : 1))
        .slice(0, size);
      return Promise.resolve((name: string) =>
        readAll(
          folder,
          chosen.filter((one) => one.name === name).map(({ file }) => file),
        ),
      );
    },
    strangers: () => strangers,
  };
}

function surveyed(
  sources: readonly NamedSource[],
  placed: ReadonlyMap<string, readonly RecordFile[]>,
): readonly SurveyedSource[] {
  return sources.flatMap(({ name, prefix }) => {
    const items = placed.get(name)?.length ?? 0;
    return items === 0 ? [] : [{ name, prefix, items, policies: [] }];
  });
}

async function* readAll(
  folder: string,
  files: readonly RecordFile[],
): AsyncGenerator<ImpactItem, void, void> {
  for (const file of files) yield { identifier: file.identifier, body: await readRecord(folder, file) };
}

/** Digests have nothing to do with what a record says: their order is a random one that can be repeated. */
function rankOf(seed: string, name: string, path: string): string {
  return createHash("sha256")
    .update(JSON.stringify([seed, name, path]))
    .digest("hex");
}

function add(placed: Map<string, RecordFile[]>, name: string, file: RecordFile): void {
  const known = placed.get(name);
  if (known === undefined) placed.set(name, [file]);
  else known.push(file);
}

/** What `git ls-tree` says a folder of a revision holds. */
export interface TreeEntry {
  /** 100644 and 100755 are files, 120000 a symbolic link, 160000 a submodule. */
  readonly mode: string;
  readonly object: string;
  readonly bytes: number;
  /** From the root of the repository; undefined when it is no UTF-8. */
  readonly path: string | undefined;
}

/** Reads `git ls-tree -r -z --long`: mode, type, object, size, a tab, the path, a zero byte. */
export function parseTree(answer: Uint8Array): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let start = 0; start < answer.length;) {
    const zero = answer.indexOf(0, start);
    const end = zero < 0 ? answer.length : zero;
    const entry = parseEntry(answer.subarray(start, end));
    if (entry !== undefined) entries.push(entry);
    start = end + 1;
  }
  return entries;
}

function parseEntry(line: Uint8Array): TreeEntry | undefined {
  const tab = line.indexOf(9);
  if (tab < 0) return undefined;
  const [mode = "", , object = "", size = ""] = Buffer.from(line.subarray(0, tab))
    .toString("latin1")
    .split(/ +/);
  return { mode, object, bytes: size === "-" ? 0 : Number(size), path: utf8(line.subarray(tab + 1)) };
}

/** Reads `git cat-file --batch`: a line with object, type and size, the bytes, a line feed. Undefined = it was cut short. */
export function parseBlobs(answer: Uint8Array, count: number): readonly Uint8Array[] | undefined {
  const blobs: Uint8Array[] = [];
  let at = 0;
  while (blobs.length < count) {
    const end = answer.indexOf(10, at);
    const head = end < 0 ? "" : Buffer.from(answer.subarray(at, end)).toString("latin1");
    const size = /^[0-9a-f]+ blob ([0-9]+)$/.exec(head)?.[1];
    if (size === undefined || end + 1 + Number(size) > answer.length) return undefined;
    blobs.push(answer.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return blobs;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

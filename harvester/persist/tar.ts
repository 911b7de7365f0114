/** A tar archive in memory, in the form every reader knows (POSIX.1-1988 ustar): plain files and folders. */

const BLOCK = 512;

export interface TarEntry {
  /** With slashes; at most 255 bytes, and 100 after the last slash that fits. */
  readonly path: string;
  /** Absent: a folder. */
  readonly bytes: Uint8Array | undefined;
}

/** Throws when a path is too long for the format. */
export function tarOf(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = [];
  for (const { path, bytes } of entries) {
    blocks.push(headerOf(path, bytes));
    if (bytes === undefined) continue;
    blocks.push(bytes, new Uint8Array(padding(bytes.length)));
  }
  blocks.push(new Uint8Array(2 * BLOCK));
  const whole = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}

function padding(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}

function headerOf(path: string, bytes: Uint8Array | undefined): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const { name, prefix } = split(bytes === undefined ? `${path}/` : path);
  header.write(name, 0, "utf8");
  header.write(octal(bytes === undefined ? 0o700 : 0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(bytes?.length ?? 0, 11), 124);
  header.write(octal(0, 11), 136);
  // The checksum counts its own field as blanks.
  header.write("        ", 148);
  header.write(bytes === undefined ? "5" : "0", 156);
  header.write("ustar\u000000", 257, "latin1");
  header.write(prefix, 345, "utf8");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\u0000 `, 148, "latin1");
  return header;
}

function split(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: "" };
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (name !== "" && Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155)
      return { name, prefix };
  }
  throw new Error(`The path ${path.slice(0, 200)} is too long for an archive.`);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

/** Archives as the runner's artefact action writes them, and ones nobody should write. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** 8 = deflated, 0 = stored. */
  readonly method?: number;
  /** What the directory claims, where it lies. */
  readonly claimedSize?: number;
  readonly encrypted?: boolean;
}

export function zipArchive(entries: readonly ZipEntry[], claimedCount = entries.length): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, central } = partsOf(entry, offset);
    locals.push(local);
    directory.push(central);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(claimedCount, 8);
  end.writeUInt16LE(claimedCount, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

function partsOf(entry: ZipEntry, offset: number): { readonly local: Buffer; readonly central: Buffer } {
  const content = Buffer.from(entry.content as string);
  const method = entry.method ?? 8;
  const packed = method === 8 ? deflateRawSync(content) : content;
  const name = Buffer.from(entry.name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(entry.encrypted === true ? 1 : 0, 2);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(entry.claimedSize ?? content.length, 18);
  shared.writeUInt16LE(name.length, 22);
  const signature = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(20, 4);
  shared.copy(head, 6);
  head.writeUInt32LE(offset, 42);
  return { local: Buffer.concat([signature, shared, name, packed]), central: Buffer.concat([head, name]) };
}

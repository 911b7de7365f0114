/**
 * One file out of a zip archive, in memory: nothing is ever unpacked to disk, so no name in it can lead anywhere. The
 * archive may come from a stranger; names, sizes and the count of entries are checked before a byte is inflated.
 * Layout: PKWARE APPNOTE 6.3, §4.3.12 (central directory) and §4.3.16 (its end).
 */
import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";

const mostEntries = 100;
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;

/**
 * @param {Buffer} archive
 * @param {string} name the entry, by its whole name
 * @param {number} most bytes it may have when inflated
 * @returns {Buffer} Throws when the archive is damaged or not as harmless as ours are.
 */
export function readZipEntry(archive, name, most) {
  const entries = readDirectory(archive);
  for (const entry of entries) refuseEscape(entry.name);
  const [entry, second] = entries.filter((one) => one.name === name);
  if (entry === undefined) throw new Error(`There is no ${name} in the archive.`);
  if (second !== undefined) throw new Error(`${name} is in the archive twice.`);
  if (entry.encrypted) throw new Error(`${name} is encrypted.`);
  if (entry.size > most)
    throw new Error(`${name} has ${String(entry.size)} bytes; ${String(most)} are allowed.`);
  return contentOf(archive, entry, most);
}

function readDirectory(archive) {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > mostEntries)
    throw new Error(`The archive has ${String(count)} entries; ${String(mostEntries)} are allowed.`);
  let at = archive.readUInt32LE(end + 16);
  const entries = [];
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== entrySignature) throw damaged();
    const nameLength = archive.readUInt16LE(at + 28);
    entries.push({
      encrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
      method: archive.readUInt16LE(at + 10),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      local: archive.readUInt32LE(at + 42),
      name: archive.toString("utf8", at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** The end record is the last 22 bytes, before a comment of at most 65,535. */
function findEnd(archive) {
  const first = Math.max(0, archive.length - 22 - 0xffff);
  for (let at = archive.length - 22; at >= first; at -= 1)
    if (archive.readUInt32LE(at) === endSignature) return at;
  throw damaged();
}

function refuseEscape(name) {
  const parts = name.split("/");
  const harmless = !name.startsWith("/") && !parts.includes("..") && !/[\\:]/.test(name);
  if (!harmless)
    throw new Error(
      `The archive holds a name that leads out of its folder: ${JSON.stringify(name.slice(0, 100))}.`,
    );
}

function contentOf(archive, { local, packed, method, size }, most) {
  if (local + 30 > archive.length || archive.readUInt32LE(local) !== localSignature) throw damaged();
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  if (start + packed > archive.length) throw damaged();
  const bytes = archive.subarray(start, start + packed);
  const content = unpacked(bytes, method, most);
  if (content.length !== size) throw damaged();
  return content;
}

function unpacked(bytes, method, most) {
  if (method === 0) return Buffer.from(bytes);
  if (method !== 8) throw new Error(`The archive uses method ${String(method)}, which is not read here.`);
  // A few bytes can inflate to gigabytes: the limit holds whatever the directory claims. Zero means no limit there.
  return inflateRawSync(bytes, { maxOutputLength: Math.max(1, most) });
}

function damaged() {
  return new Error("The archive is damaged.");
}

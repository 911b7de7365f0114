/** A picture of text in few colours: a PNG with a palette of 256, about a third of what a browser writes (PNG, 2nd edition). */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** `png`: eight bits a channel, RGB or RGBA, not interlaced, as chromium writes it. Transparency is dropped. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, channels, data } = chunksOf(png);
  const pixels = unfiltered(data, { width, height, channels });
  const counts = new Map<number, number>();
  for (let i = 0; i < pixels.length; i += channels) {
    const colour = coarse(pixels, i);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 256)
    .map(([colour]) => colour);
  const index = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = index.get(coarse(pixels, (y * width + x) * channels)) ?? 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap(parts));
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Five bits a channel, white kept white. */
function coarse(pixels: Buffer, at: number): number {
  const [r, g, b] = [0, 1, 2].map((i) => Math.round(((pixels[at + i] ?? 0) * 31) / 255));
  return ((r ?? 0) << 10) | ((g ?? 0) << 5) | (b ?? 0);
}

function parts(colour: number): number[] {
  return [colour >> 10, (colour >> 5) & 31, colour & 31].map((part) => Math.round((part * 255) / 31));
}

function nearest(colour: number, palette: readonly number[]): number {
  const given = parts(colour);
  const distances = palette.map((other) =>
    parts(other).reduce((sum, part, i) => sum + (part - (given[i] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

function chunksOf(png: Buffer): Shape & { readonly data: Buffer } {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return { width, height, channels, data: inflateSync(Buffer.concat(data)) };
}

/** §9 of the specification: each byte is told as a difference from its neighbours. */
function unfiltered(data: Buffer, { width, height, channels }: Shape): Buffer {
  const line = width * channels;
  const pixels = Buffer.alloc(height * line);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (line + 1)] ?? 0;
    for (let x = 0; x < line; x += 1) {
      const left = x < channels ? 0 : pixels[y * line + x - channels]!;
      const up = y === 0 ? 0 : pixels[(y - 1) * line + x]!;
      const corner = x < channels || y === 0 ? 0 : pixels[(y - 1) * line + x - channels]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      pixels[y * line + x] = (data[y * (line + 1) + 1 + x]! + guess) & 255;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner;
  const [a, b, c] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

import { describe, expect, it } from "vitest";
import { readZipEntry } from "./gate-scripts.js";
import { zipArchive } from "./zip-archive.js";

const good = zipArchive([
  { name: "lint.sarif", content: "{}" },
  { name: "report.md", content: "# Übersicht\n" },
]);

describe("one file out of an archive", () => {
  const read = [
    { name: "deflated", archive: good },
    { name: "stored", archive: zipArchive([{ name: "report.md", content: "# Übersicht\n", method: 0 }]) },
    { name: "with bytes behind it", archive: Buffer.concat([good, Buffer.from("a comment")]) },
  ];
  it.each(read)("is read when it is $name", ({ archive }) => {
    expect(readZipEntry(archive, "report.md", 100).toString("utf8")).toBe("# Übersicht\n");
  });

  const bomb = zipArchive([{ name: "report.md", content: Buffer.alloc(5_000_000), claimedSize: 10 }]);
  const refused = [
    {
      name: "a name that climbs",
      archive: zipArchive([{ name: "../../report.md", content: "x" }]),
      said: "leads out of its folder",
    },
    {
      name: "another entry whose name climbs",
      archive: zipArchive([
        { name: "report.md", content: "x" },
        { name: "a/../../.bashrc", content: "x" },
      ]),
      said: "leads out of its folder",
    },
    {
      name: "an absolute name",
      archive: zipArchive([{ name: "/report.md", content: "x" }]),
      said: "leads out of its folder",
    },
    {
      name: "a name of Windows",
      archive: zipArchive([{ name: "C:\\report.md", content: "x" }]),
      said: "leads out of its folder",
    },
    {
      name: "no such file",
      archive: zipArchive([{ name: "other.md", content: "x" }]),
      said: "There is no report.md",
    },
    {
      name: "the file twice",
      archive: zipArchive([
        { name: "report.md", content: "x" },
        { name: "report.md", content: "y" },
      ]),
      said: "twice",
    },
    {
      name: "too big a file",
      archive: zipArchive([{ name: "report.md", content: "x".repeat(101) }]),
      said: "101 bytes; 100 are allowed",
    },
    {
      name: "a bomb that claims to be small",
      archive: bomb,
      said: "Cannot create a Buffer larger than 100 bytes",
    },
    {
      name: "an encrypted file",
      archive: zipArchive([{ name: "report.md", content: "x", encrypted: true }]),
      said: "encrypted",
    },
    {
      name: "an unknown method",
      archive: zipArchive([{ name: "report.md", content: "x", method: 12 }]),
      said: "method 12",
    },
    {
      name: "a size that is wrong",
      archive: zipArchive([{ name: "report.md", content: "x", claimedSize: 2 }]),
      said: "damaged",
    },
    {
      name: "more entries than there are",
      archive: zipArchive([{ name: "report.md", content: "x" }], 3),
      said: "damaged",
    },
    { name: "very many entries", archive: zipArchive([], 60_000), said: "60000 entries" },
    { name: "an archive that was cut", archive: good.subarray(0, 60), said: "damaged" },
    { name: "no archive", archive: Buffer.from("<html>"), said: "damaged" },
    { name: "nothing", archive: Buffer.alloc(0), said: "damaged" },
  ];
  it.each(refused)("is refused: $name", ({ archive, said }) => {
    expect(() => readZipEntry(archive, "report.md", 100)).toThrow(said);
  });

  it("is refused or read, never anything else, wherever a byte is wrong", () => {
    for (let at = 0; at < good.length; at += 1) {
      const broken = Buffer.from(good);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      try {
        expect(readZipEntry(broken, "report.md", 100).length).toBeLessThanOrEqual(100);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  });
});

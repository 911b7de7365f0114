import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bundleDigest, contentsProblem, pathProblem } from "./bundle-contents.js";
import { packBundle } from "./pack-bundle.js";
import { unpackBundle } from "./unpack-bundle.js";

function filesOf(texts: Readonly<Record<string, string | Uint8Array>>): Map<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
}

const two = filesOf({ "schemas/b.bin": Uint8Array.of(0xff, 0xfe), "rules/a.sch": "hello\n" });

describe("packBundle", () => {
  it("writes files by path, text as text and bytes as base64", () => {
    expect(gunzipSync(packBundle(two).bytes).toString()).toBe(
      '{"format":"harvest-policy/v1","files":[{"path":"rules/a.sch","text":"hello\\n"},{"path":"schemas/b.bin","base64":"//4="}]}',
    );
  });

  // By hand: printf 'harvest-policy/v1\n"rules/a.sch" <sha256>\n"schemas/b.bin" <sha256>\n' | sha256sum
  it("has the digest of format, paths and contents, which anybody can compute", () => {
    expect(packBundle(two).digest).toBe("d1d45c592a80de9409899d349bdf36930d6f48f4baab251d0cde23fdc3861851");
    expect(packBundle(new Map()).digest).toBe(
      "cf62827b56c4d448fe25574d437c5e52fb42397d4e076e19686e9d9607b768db",
    );
  });

  it("is the same whatever the order of the files, and tells no time and no machine", () => {
    const turned = new Map([...two].reverse());
    expect(packBundle(turned)).toEqual(packBundle(two));
    expect([...packBundle(two).bytes.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
  });

  it("names the biggest files first", () => {
    const { biggest, files, unpackedBytes } = packBundle(
      filesOf({ a: "1", b: "22", c: "333", d: "4444", e: "55555", f: "666666" }),
    );
    expect({ files, unpackedBytes, biggest: biggest.map(({ path }) => path).join("") }).toEqual({
      files: 6,
      unpackedBytes: 21,
      biggest: "fedcb",
    });
  });

  it("refuses what can be no bundle, with the sentence", () => {
    expect(() => packBundle(filesOf({ "../x": "" }))).toThrow(
      new RangeError('The file "../x" cannot be in a bundle: its path leads out of the bundle.'),
    );
  });

  it("gives every file back, byte for byte", () => {
    const path = fc.stringMatching(/^[a-z]{1,3}(\/[a-z.]{1,4}x){0,2}$/).filter((p) => !/(^|\/)\./.test(p));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 30 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(path, bytes), { maxLength: 8 }), (entries) => {
        const files = new Map(entries);
        fc.pre(contentsProblem(files) === undefined);
        const packed = packBundle(files);
        const unpacked = unpackBundle(packed.bytes, packed.digest);
        const given = [...files].map(([p, b]) => [p, Buffer.from(b).toString("hex")]).sort();
        const got =
          unpacked.kind === "unpacked"
            ? [...unpacked.files].map(([p, b]) => [p, Buffer.from(b).toString("hex")])
            : unpacked.sentence;
        expect(got).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["a byte more", { "rules/a.sch": "hello\n\n", "schemas/b.bin": "x" }],
    ["another path", { "rules/A.sch": "hello\n", "schemas/b.bin": "x" }],
    ["a file less", { "rules/a.sch": "hello\n" }],
    ["contents exchanged", { "rules/a.sch": "x", "schemas/b.bin": "hello\n" }],
  ])("another digest for %s", (_, texts) => {
    expect(bundleDigest(filesOf(texts))).not.toBe(
      bundleDigest(filesOf({ "rules/a.sch": "hello\n", "schemas/b.bin": "x" })),
    );
  });
});

describe("what may be a path", () => {
  it.each([
    ["schemas/iso19139/gmd.xsd", undefined],
    ["rules/Straße 1.sch", undefined],
    ["", "its path is empty"],
    ["/etc/passwd", "its path is absolute"],
    ["a/../../b", "its path leads out of the bundle"],
    ["..", "its path leads out of the bundle"],
    ["a\\b", "its path has a backslash"],
    ["a//b", "its path has an empty part"],
    ["a/", "its path has an empty part"],
    ["./a", "a part of its path is hidden (begins with a dot)"],
    [".harvest/lock", "a part of its path is hidden (begins with a dot)"],
    ["a\u0000b", "its path has a control or another invisible character"],
    ["a\nb", "its path has a control or another invisible character"],
    ["a\u202eb", "its path has a control or another invisible character"],
    ["\ud800", "its path has a control or another invisible character"],
    ["x".repeat(512), undefined],
    ["é".repeat(257), "its path is longer than 512 bytes"],
  ])("%j", (path, problem) => {
    expect(pathProblem(path)).toBe(problem);
  });
});

describe("contentsProblem", () => {
  it("a file that is also a folder", () => {
    expect(contentsProblem(filesOf({ "rules/a": "", "rules/a/b/c": "" }))).toBe(
      "rules/a is a file of the bundle, and also the folder of rules/a/b/c.",
    );
  });

  it("2,000 files, and one more", () => {
    const files = new Map(Array.from({ length: 2000 }, (_, i) => [`f${String(i)}`, new Uint8Array()]));
    expect(contentsProblem(files)).toBeUndefined();
    expect(contentsProblem(files.set("one-more", new Uint8Array()))).toBe(
      "The bundle has 2001 files; at most 2000 are allowed.",
    );
  });

  it("16 MiB a file and 64 MiB in all, and one byte more", () => {
    const full = new Uint8Array(16_777_216);
    const four = new Map(["a", "b", "c", "d"].map((path) => [path, full]));
    expect(contentsProblem(four)).toBeUndefined();
    expect(contentsProblem(four.set("e", new Uint8Array(1)))).toBe(
      "The files have 67108865 bytes together; at most 67108864 are allowed.",
    );
    expect(contentsProblem(new Map([["a", new Uint8Array(16_777_217)]]))).toBe(
      "The file a has 16777217 bytes; at most 16777216 are allowed.",
    );
  });
});

describe("unpackBundle refuses", () => {
  const rows: readonly { name: string; document: string; reason: string; says: string }[] = [
    { name: "other JSON", document: "{}", reason: "BundleUnreadable", says: "no document that harvestctl" },
    {
      name: "a newer format",
      document: '{"format":"harvest-policy/v2","files":[]}',
      reason: "BundleUnreadable",
      says: "one of a format newer than harvest-policy/v1",
    },
    {
      name: "a path outside",
      document: '{"format":"harvest-policy/v1","files":[{"path":"../../etc/cron.d/x","text":""}]}',
      reason: "BundleUnreadable",
      says: 'Its file "../../etc/cron.d/x" cannot be in a bundle: its path leads out of the bundle.',
    },
    {
      name: "an escaped path outside",
      document: '{"format":"harvest-policy/v1","files":[{"path":"\\u002e\\u002e/x","text":""}]}',
      reason: "BundleUnreadable",
      says: "leads out of the bundle",
    },
    {
      name: "a path twice",
      document: '{"format":"harvest-policy/v1","files":[{"path":"a","text":""},{"path":"a","text":"b"}]}',
      reason: "BundleUnreadable",
      says: "It has the file a twice.",
    },
    {
      name: "another field",
      document: '{"format":"harvest-policy/v1","files":[{"path":"a","link":"/etc/passwd"}]}',
      reason: "BundleUnreadable",
      says: "no document that harvestctl",
    },
    {
      name: "something after the end",
      document: '{"format":"harvest-policy/v1","files":[]} ',
      reason: "BundleUnreadable",
      says: "no document that harvestctl",
    },
    {
      name: "an open string",
      document: '{"format":"harvest-policy/v1","files":[{"path":"a","text":"\\"',
      reason: "BundleUnreadable",
      says: "no document that harvestctl",
    },
    {
      name: "a million nested lists",
      document: `{"format":"harvest-policy/v1","files":[${"[".repeat(1_000_000)}`,
      reason: "BundleUnreadable",
      says: "no document that harvestctl",
    },
    {
      name: "2,001 files",
      document: `{"format":"harvest-policy/v1","files":[${Array.from({ length: 2001 }, (_, i) => `{"path":"f${String(i)}","text":""}`).join(",")}]}`,
      reason: "BundleUnreadable",
      says: "It has more than 2000 files.",
    },
  ];

  it.each(rows)("$name", ({ document, reason, says }) => {
    const refused = unpackBundle(gzipSync(document));
    expect(refused).toMatchObject({ kind: "refused", reason });
    expect(refused).toHaveProperty("sentence", expect.stringContaining(says));
  });

  it("what is no gzip, and what was cut", () => {
    const says = { kind: "refused", reason: "BundleUnreadable" };
    expect(unpackBundle(Buffer.from("PK\u0003\u0004"))).toEqual({
      ...says,
      sentence: "The bundle is no gzip, or is damaged (Z_DATA_ERROR).",
    });
    expect(unpackBundle(packBundle(two).bytes.subarray(0, -9))).toEqual({
      ...says,
      sentence: "The bundle is no gzip, or is damaged (Z_BUF_ERROR).",
    });
  });

  it("a decompression bomb: a hundred kB that would be 101 MB", () => {
    const bomb = gzipSync(new Uint8Array(101_000_000));
    expect(bomb.length).toBeLessThan(110_000);
    expect(unpackBundle(bomb)).toEqual({
      kind: "refused",
      reason: "BundleTooBig",
      sentence: "The bundle unpacks to more than 100663296 bytes: that is no policy.",
    });
  });

  it("another content than was expected, with both digests", () => {
    const expected = "0".repeat(64);
    expect(unpackBundle(packBundle(two).bytes, expected)).toEqual({
      kind: "refused",
      reason: "BundleUntrue",
      sentence: `The bundle should have the digest ${expected}, but its files have d1d45c592a80de9409899d349bdf36930d6f48f4baab251d0cde23fdc3861851: it was changed, or another one was meant.`,
    });
  });

  it("any bytes whatever, without throwing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ maxLength: 200 }), (bytes, text) => {
        expect(unpackBundle(bytes).kind).toBe("refused");
        const begun = gzipSync(`{"format":"harvest-policy/v1","files":[{"path":"a","text":${text}`);
        expect(unpackBundle(begun).kind).toBe("refused");
      }),
    );
  });
});

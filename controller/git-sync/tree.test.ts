import { describe, expect, it } from "vitest";
import { judgeTree } from "./judge-tree.js";
import { parseBlobs, parseTree, type TreeEntry } from "./tree.js";

const id = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

describe("parseTree", () => {
  it("reads files, links and submodules, with any bytes in their names", () => {
    const answer = Buffer.concat([
      Buffer.from(`100644 blob ${id}     123\ta/b c.yaml\0`),
      Buffer.from(`120000 blob ${id}       9\ta/line\nbreak.yaml\0`),
      Buffer.from(`160000 commit ${id}       -\tsub\x00100755 blob ${id}       1\t`),
      Buffer.from([0xff, 0xfe, 0]),
    ]);
    expect(parseTree(answer)).toEqual([
      { mode: "100644", object: id, bytes: 123, path: "a/b c.yaml" },
      { mode: "120000", object: id, bytes: 9, path: "a/line\nbreak.yaml" },
      { mode: "160000", object: id, bytes: 0, path: "sub" },
      { mode: "100755", object: id, bytes: 1, path: undefined },
    ]);
  });
  it("finds nothing in nothing", () => {
    expect(parseTree(Buffer.from(""))).toEqual([]);
  });
});

describe("parseBlobs", () => {
  it("reads bytes by their count, whatever they are", () => {
    const answer = Buffer.from(`${id} blob 5\na\n\0bc\n${id} blob 0\n\n`);
    expect(parseBlobs(answer, 2)?.map((blob) => Buffer.from(blob).toString())).toEqual(["a\n\0bc", ""]);
  });
  it.each([`${id} missing\n`, `${id} blob 50\nshort\n`, `${id} tree 1\na\n`, ""])("refuses %j", (answer) => {
    expect(parseBlobs(Buffer.from(answer), 1)).toBeUndefined();
  });
});

describe("judgeTree", () => {
  function file(path: string | undefined, more: Partial<TreeEntry> = {}): TreeEntry {
    return { mode: "100644", object: id, bytes: 10, path, ...more };
  }
  const table: { name: string; entry: TreeEntry; read: boolean; rule?: string }[] = [
    { name: "yaml", entry: file("a/b.yaml"), read: true },
    { name: "yml, whatever its case", entry: file("a/B.YML"), read: true },
    { name: "json", entry: file("b.json"), read: true },
    { name: "an executable manifest", entry: file("b.yaml", { mode: "100755" }), read: true },
    { name: "a text", entry: file("README.md"), read: false },
    { name: "a big picture", entry: file("a.png", { bytes: 9e9 }), read: false },
    { name: "kustomization.yaml", entry: file("a/kustomization.yaml"), read: false },
    { name: "a link", entry: file("a.yaml", { mode: "120000" }), read: false, rule: "git/link" },
    {
      name: "a link that is called otherwise",
      entry: file("a", { mode: "120000" }),
      read: false,
      rule: "git/link",
    },
    { name: "a submodule", entry: file("a", { mode: "160000" }), read: false, rule: "git/submodule" },
    { name: "a name with an escape", entry: file("a\u001b[2J.yaml"), read: false, rule: "git/name" },
    { name: "a name with a line break", entry: file("a\nb.yaml"), read: false, rule: "git/name" },
    { name: "a name that is no text", entry: file(undefined), read: false, rule: "git/name" },
    {
      name: "a manifest too big",
      entry: file("a.yaml", { bytes: 1024 * 1024 + 1 }),
      read: false,
      rule: "git/too-big",
    },
  ];
  it.each(table)("$name", ({ entry, read, rule }) => {
    const judged = judgeTree([entry]);
    expect(judged.files.map(({ path }) => path)).toEqual(read ? [entry.path] : []);
    expect(judged.findings.map((finding) => finding.rule)).toEqual(rule === undefined ? [] : [rule]);
    expect(JSON.stringify(judged.findings)).not.toMatch(/\\u001b|\\n/);
  });

  it("reads no more files, and no more bytes, than a folder of manifests has", () => {
    const many = Array.from({ length: 5001 }, (_, i) => file(`${String(i)}.yaml`));
    expect(judgeTree(many).findings.map(({ rule }) => rule)).toEqual(["git/too-many"]);
    const heavy = Array.from({ length: 65 }, (_, i) => file(`${String(i)}.yaml`, { bytes: 1024 * 1024 }));
    expect(judgeTree(heavy).findings.map(({ rule }) => rule)).toEqual(["git/too-many"]);
  });
});

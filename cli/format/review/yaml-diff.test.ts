import { describe, expect, it } from "vitest";
import { yamlDiff } from "./yaml-diff.js";

describe("unified lines of two texts", () => {
  it.each([
    { name: "the same", before: "a\n", after: "a\n", expect: [] },
    {
      name: "a line changed",
      before: "a\nb\n",
      after: "a\nc\n",
      expect: ["@@ -1,2 +1,2 @@", " a", "-b", "+c"],
    },
    { name: "a new file", before: undefined, after: "a\n", expect: ["@@ -0,0 +1,1 @@", "+a"] },
    { name: "a file that is gone", before: "a\n", after: undefined, expect: ["@@ -1,1 +0,0 @@", "-a"] },
    {
      name: "line ends alone",
      before: "a\r\nb\n",
      after: "a\nb\n",
      expect: ["(only what is not shown differs: line ends, or a secret)"],
    },
    {
      name: "a secret alone",
      before: "token: a\n",
      after: "token: b\n",
      expect: ["(only what is not shown differs: line ends, or a secret)"],
    },
    {
      name: "hidden characters",
      before: "",
      after: "a\u202eb\n",
      expect: ["@@ -0,0 +1,1 @@", "+a⟨U+202E⟩b"],
    },
  ])("$name", ({ before, after, expect: lines }) => {
    expect(yamlDiff({ before, after })).toEqual(lines);
  });

  it("gives up on texts that have nothing in common", () => {
    const many = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word}${String(i)}\n`).join("");
    expect(yamlDiff({ before: many("a"), after: many("b") })).toEqual([
      "(the two texts have too little in common to show their difference)",
    ]);
  });
});

import { ESLint } from "eslint";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratchHouse, type ScratchHouse } from "./scratch-house.js";

interface Case {
  readonly file: string;
  readonly text: string;
  readonly expect: readonly string[];
}

const cases: readonly Case[] = [
  {
    file: "source/clock-a.ts",
    text: "export const now = Date.now();\n",
    expect: ["no-restricted-properties"],
  },
  { file: "source/clock-b.ts", text: "export const now = new Date();\n", expect: ["house/no-clock"] },
  { file: "source/dice.ts", text: "export const r = Math.random();\n", expect: ["no-restricted-properties"] },
  {
    file: "harvester/detect/env.ts",
    text: 'export const home = process.env["HOME"];\n',
    expect: ["no-restricted-globals"],
  },
  {
    file: "harvester/transform/disk.ts",
    text: 'import { readFileSync } from "node:fs";\nexport const text = readFileSync("x");\n',
    expect: ["no-restricted-imports"],
  },
  {
    file: "harvester/protocols/wire.ts",
    text: 'import { connect } from "node:net";\nexport const c = connect;\n',
    expect: ["no-restricted-imports"],
  },
  {
    file: "harvester/main-address.ts",
    text: 'export const known = URL.canParse("http://x");\n',
    expect: ["no-restricted-properties"],
  },
  {
    file: "source/address-b.ts",
    text: 'export const known = URL.canParse("http://x");\n',
    expect: ["no-restricted-properties"],
  },
  { file: "harvester/main-part.ts", text: "export const now = Date.now();\n", expect: [] },
  { file: "harvester/utils.ts", text: "export const a = 1;\n", expect: ["house/file-name"] },
  { file: "harvester/camelCase.ts", text: "export const a = 1;\n", expect: ["house/file-name"] },
  { file: "source/colours.ts", text: "export enum Colour { Red }\n", expect: ["no-restricted-syntax"] },
  {
    file: "source/loose.ts",
    text: "export const list: any[] = [];\n",
    expect: ["@typescript-eslint/no-explicit-any"],
  },
  {
    file: "source/wide.ts",
    text: "export function f(a: number, b: number, c: number, d: number): number { return a + b + c + d; }\n",
    expect: ["max-params"],
  },
  {
    file: "source/long.ts",
    text: `export function f(a: number): number {\n${"  a += 1;\n".repeat(45)}  return a;\n}\n`,
    expect: ["max-lines-per-function"],
  },
];

describe("house rules of lint", () => {
  let house: ScratchHouse;
  let byFile: Map<string, readonly string[]>;

  beforeAll(async () => {
    house = scratchHouse();
    for (const one of cases) house.write(one.file, one.text);
    const eslint = new ESLint({ cwd: house.path, overrideConfigFile: join(house.path, "eslint.config.js") });
    const results = await eslint.lintFiles(["source", "harvester"]);
    byFile = new Map(
      results.map((r) => [
        r.filePath.slice(house.path.length + 1),
        r.messages.map((m) => m.ruleId ?? "parse"),
      ]),
    );
  }, 120_000);
  afterAll(() => {
    house.remove();
  });

  it.each(cases)("$file", ({ file, expect: expected }) => {
    expect(byFile.get(file)).toEqual(expected);
  });
});

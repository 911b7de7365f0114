import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { repositoryRoot, scratchHouse, type ScratchHouse } from "./scratch-house.js";

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expect: readonly string[];
}

const value = "export const value = 1;\n";
function importing(path: string): string {
  return `import { value } from "${path}";\nexport const other = value;\n`;
}

const cases: readonly Case[] = [
  {
    name: "a stage may not import another stage",
    files: {
      "harvester/fetch/client.ts": value,
      "harvester/detect/window.ts": importing("../fetch/client.js"),
    },
    expect: ["stage-detect"],
  },
  {
    name: "a type-only import of another stage counts as well",
    files: {
      "harvester/persist/store.ts": "export interface Store { a: 1 }\n",
      "harvester/gate/index.ts":
        'import type { Store } from "../persist/store.js";\nexport type S = Store;\n',
    },
    expect: ["stage-gate"],
  },
  {
    name: "source/ may not import the harvester",
    files: { "harvester/record.ts": value, "source/parse.ts": importing("../harvester/record.js") },
    expect: ["source-imports-nothing-of-ours"],
  },
  {
    name: "nobody below imports the command line",
    files: { "cli/exit-codes.ts": value, "harvester/main.ts": importing("../cli/exit-codes.js") },
    expect: ["nobody-imports-programs"],
  },
  {
    name: "the controller does not harvest",
    files: { "harvester/harvest.ts": value, "controller/plan.ts": importing("../harvester/harvest.js") },
    expect: ["controller-does-not-harvest"],
  },
  {
    name: "a library is imported only in its home",
    files: { "harvester/report/x.ts": 'import { Pool } from "undici";\nexport const p = Pool;\n' },
    expect: ["home-of-undici"],
  },
  {
    name: "no cycles, types included",
    files: {
      "source/a.ts": 'import type { B } from "./b.js";\nexport interface A { b: B }\n',
      "source/b.ts": 'import type { A } from "./a.js";\nexport interface B { a: A }\n',
    },
    expect: ["no-cycle"],
  },
  {
    name: "stages may use the nouns",
    files: { "harvester/record.ts": value, "harvester/detect/window.ts": importing("../record.js") },
    expect: [],
  },
];

function cruise(house: ScratchHouse): Violation[] {
  const bin = join(repositoryRoot, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const folders = ["source", "harvester", "controller", "cli"];
  for (const folder of folders) house.write(`${folder}/anchor.ts`, "export const anchor = 0;\n");
  const args = [bin, "--config", ".dependency-cruiser.cjs", "--output-type", "json", ...folders];
  const output = execFileSync(process.execPath, args, { cwd: house.path, encoding: "utf8", maxBuffer: 1e8 });
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
}

describe("boundaries between the rooms", () => {
  let house: ScratchHouse | undefined;
  afterEach(() => house?.remove());

  it.each(cases)("$name", ({ files, expect: expected }) => {
    house = scratchHouse();
    for (const [file, text] of Object.entries(files)) house.write(file, text);
    expect(cruise(house).map((v) => v.rule.name)).toEqual(expected);
  });
});

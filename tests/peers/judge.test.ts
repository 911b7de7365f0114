/** The same verdicts as lxml (XMLSchema, isoschematron), on real records and rule sets: the peer that catches a drift of semantics. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRuleSet } from "../../harvester/gate/schematron/load-rule-set.js";
import { compileXsdGate } from "../../harvester/gate/xsd.js";
import { parseXml, type ParsedDocument } from "../../harvester/xml/parse.js";
import { testData } from "../setup/test-data.js";
import { copyRealRecords, peerEnvironment } from "./setup.js";

const repository = join(import.meta.dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "judge-"));

interface Answer {
  readonly findings: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly valid: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}

const peer = await peerEnvironment();
if (peer.kind === "missing") process.stderr.write(`${peer.sentence}\n`);
await copyRealRecords(scratch);

function inFolder(folder: string | undefined, extension: string): readonly string[] {
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(folder, name));
}

const records = [...inFolder(scratch, ".xml"), ...inFolder(testData("records"), ".xml")];
const ruleSets = [...inFolder(join(repository, "rules"), ".sch"), ...inFolder(testData("rules"), ".sch")];
const sets = testData("xsd");
const schemas =
  sets === undefined ? [] : [join(sets, "iso19139-2007/all.xsd"), join(sets, "iso19139-2006/gmd/gmd.xsd")];

async function askPeer(): Promise<Answer> {
  if (peer.kind === "missing") throw new Error(peer.sentence);
  const child = spawn(peer.python, [join(import.meta.dirname, "judge.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify({ records, ruleSets, schemas }));
  const [answer] = await Promise.all([text(child.stdout), once(child, "close")]);
  return JSON.parse(answer) as Answer;
}

/** What a check says of every record, by path. */
function overRecords<T>(check: (document: ParsedDocument) => T): Record<string, T> {
  const found: Record<string, T> = {};
  for (const path of records) {
    const parsed = parseXml(readFileSync(path));
    if (parsed.kind === "broken") throw new Error(`${path}: ${parsed.problems[0]?.message ?? ""}`);
    found[path] = check(parsed.document);
    parsed.document.dispose();
  }
  return found;
}

function schemaFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.name.endsWith(".xsd"),
  );
  return new Map(
    files.map((entry) => [
      relative(folder, join(entry.parentPath, entry.name)),
      readFileSync(join(entry.parentPath, entry.name)),
    ]),
  );
}

describe.skipIf(peer.kind === "missing")("lxml and the gates agree", () => {
  let answer: Answer = { findings: {}, valid: {} };
  beforeAll(async () => {
    answer = await askPeer();
  }, 240_000);
  afterAll(() => {
    rmSync(scratch, { recursive: true });
  });

  it.each(ruleSets.map((path) => ({ path, name: basename(path) })))(
    "on the number of findings of $name",
    ({ path }) => {
      const ruleSet = loadRuleSet({ entry: "r.sch", files: new Map([["r.sch", readFileSync(path)]]) });
      expect(overRecords((document) => ruleSet.check(document, 100_000).length)).toEqual(
        answer.findings[path],
      );
      ruleSet.dispose();
    },
  );

  it.each(schemas.map((path) => ({ path, name: relative(sets ?? "", path) })))(
    "on which records are valid under $name",
    ({ path }) => {
      const gate = compileXsdGate([relative(sets!, path)], schemaFiles(sets!));
      expect(overRecords((document) => gate.check(document, 5).length === 0)).toEqual(answer.valid[path]);
      gate.dispose();
    },
  );
});

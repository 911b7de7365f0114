/**
 * The README's demo: every step is the command a person would type, run as a program of its own against a live
 * repository over a real socket. It ends with an error when a step does not do what it says.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packageRoot = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const cliEntry = join(packageRoot, "dist/cli/bin/run.js");

const RECORDS = 300;
const FAULTY = 12;

interface Demo {
  readonly folder: string;
  readonly control: string;
}

interface StepOptions {
  /** The exit code the step must end with. */
  readonly exit?: number;
}

/** Runs one command line in the demo's folder, shows it, and fails when it does not end as it should. */
async function step(demo: Demo, line: string, options: StepOptions = {}): Promise<void> {
  say(`\n$ harvestctl ${line}`);
  const child = spawn(process.execPath, [cliEntry, ...words(line)], { cwd: demo.folder, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  const wanted = options.exit ?? 0;
  if (code !== wanted)
    throw new Error(
      `"harvestctl ${line}" ended with ${String(code)}; the demo expected ${wanted.toString()}.`,
    );
}

/** The same, reading its JSON instead of showing it. */
async function ask<T>(demo: Demo, line: string): Promise<T> {
  const child = spawn(process.execPath, [cliEntry, ...words(line), "--json"], {
    cwd: demo.folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await once(child, "close");
  return JSON.parse(text) as T;
}

function words(line: string): string[] {
  return line.split(" ").filter((word) => word !== "");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function comment(text: string): void {
  say(`\n# ${text}`);
}

function check(what: string, got: unknown, wanted: unknown): void {
  if (got !== wanted) throw new Error(`${what}: expected ${String(wanted)}, got ${String(got)}.`);
}

async function startRepository(
  folder: string,
): Promise<{ child: ChildProcess; url: string; control: string }> {
  const args = [
    "sandbox",
    "--generate",
    RECORDS.toString(),
    "--faulty",
    FAULTY.toString(),
    "--seed",
    "demo",
    "--json",
  ];
  const child = spawn(process.execPath, [cliEntry, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const { url } = JSON.parse(first.split("\n")[0] ?? "{}") as { url: string };
  return { child, url, control: new URL("/_control", url).href };
}

async function tell(demo: Demo, command: unknown): Promise<void> {
  const answer = await fetch(demo.control, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(command),
  });
  if (!answer.ok) throw new Error(`The sandbox refused ${JSON.stringify(command)}: ${await answer.text()}`);
}

function manifest(url: string): string {
  return `# A HarvestSource: one endpoint, and the policy it is harvested with. This file is what a pull request changes.
apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: demo-agency
spec:
  baseUrl: ${url}
  metadataPrefix: iso19139
  schedule: "0 */6 * * *"
  validation:
    xsd: schemas/iso19139.xsd
    schematron: rules/geo-business-rules.sch
  transport:
    allowPrivateNetwork: true      # the demo's repository is on this machine
`;
}

async function layOut(folder: string, url: string): Promise<void> {
  await mkdir(join(folder, "manifests"), { recursive: true });
  await cp(join(packageRoot, "schemas"), join(folder, "schemas"), { recursive: true });
  await cp(join(packageRoot, "rules"), join(folder, "rules"), { recursive: true });
  await writeFile(join(folder, "manifests/demo-agency.yaml"), manifest(url));
}

/** The team decides that a missing temporal extent is worth a remark, not a refusal: one word in the rule file. */
async function easeRule(folder: string): Promise<void> {
  const file = join(folder, "rules/geo-business-rules.sch");
  const before = await readFile(file, "utf8");
  const after = before.replace(/(<(?:sch:)?assert[^>]*id="temporal-present"[^>]*role=")error"/, '$1warning"');
  if (after === before)
    throw new Error("The rule temporal-present was not found in rules/geo-business-rules.sch.");
  await writeFile(file, after);
}

interface Listed {
  readonly quarantine: readonly { readonly rule: string }[];
}

async function tour(demo: Demo): Promise<void> {
  comment("1. Is the manifest sound? (schema, schedule, fair use, rule files)");
  await step(demo, "lint manifests/");
  comment(`2. The first harvest: ${RECORDS.toString()} records, ${FAULTY.toString()} of them faulty.`);
  await step(demo, "run --source manifests/demo-agency.yaml");
  comment("3. What was refused, and by which rule?");
  await step(demo, "quarantine list");
  check("quarantined", (await ask<Listed>(demo, "quarantine list --limit 100")).quarantine.length, FAULTY);
  comment("4. Again, nothing has changed: two requests, no record written.");
  await step(demo, "run --source manifests/demo-agency.yaml");
  comment("5. At the agency three records change and one is deleted.");
  await tell(demo, { do: "change", indices: [20, 40, 60] });
  await tell(demo, { do: "delete", indices: [80] });
  await step(demo, "run --source manifests/demo-agency.yaml");
  comment("6. The team eases one rule (temporal-present: error → warning) and replays the quarantine.");
  await easeRule(demo.folder);
  await step(demo, "quarantine replay --rule temporal-present");
  comment("7. Where things stand.");
  await step(demo, "status");
}

const folder = await mkdtemp(join(tmpdir(), "harvest-demo-"));
const repository = await startRepository(folder);
try {
  say(`A repository with ${RECORDS.toString()} generated ISO 19139 records listens at ${repository.url}`);
  await layOut(folder, repository.url);
  await tour({ folder, control: repository.control });
  say("\nDone. Next: your own first source, in README.md.");
} finally {
  repository.child.kill("SIGTERM");
  await rm(folder, { recursive: true, force: true });
}

/** Stand-ins for the actions of others that our workflows use: each does on this machine what the real one does. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The machine a workflow runs on. */
export interface Runner {
  readonly workspace: string;
  readonly temp: string;
  /** owner/name */
  readonly repository: string;
  readonly apiUrl: string;
  readonly runId: number;
  /** The folder of an action of ours; undefined = it is somebody else's. */
  ownAction(uses: string): string | undefined;
  /** Artefacts by name: path in it → content. */
  readonly artifacts: Map<string, ReadonlyMap<string, Buffer>>;
  /** Hands an artefact to the API as well. */
  keep(name: string, files: ReadonlyMap<string, Buffer>): void;
  /** Texts given to code scanning. */
  readonly sarif: string[];
}

type Given = Readonly<Record<string, string>>;
interface Done {
  readonly code: number;
  readonly said: string;
}

const known: Readonly<Record<string, (given: Given, runner: Runner) => Done>> = {
  "actions/checkout": () => ({ code: 0, said: "checked out already" }),
  "actions/setup-node": () => ({ code: 0, said: "Node is there already" }),
  "actions/upload-artifact": upload,
  "actions/download-artifact": download,
  "github/codeql-action/upload-sarif": uploadSarif,
};

/** `uses` with its version; that it is a commit is checked by workflow-rules.ts. */
export function runForeign(uses: string, given: Given, runner: Runner): Done {
  const [name = ""] = uses.split("@");
  const run = known[name];
  if (run === undefined) throw new Error(`There is no stand-in for ${uses}`);
  return run(given, runner);
}

/** Patterns with `!` leave out; names in the artefact are relative to the folder all included paths share. */
function upload(given: Given, { artifacts, keep }: Runner): Done {
  const patterns = (given["path"] ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const out = patterns
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => resolve(pattern.slice(1)));
  const [folder = "", ...more] = patterns.filter((pattern) => !pattern.startsWith("!"));
  if (more.length > 0) throw new Error("This stand-in takes one folder.");
  const files = walk(folder).filter((file) => !out.some((left) => resolve(file).startsWith(left)));
  const content = new Map(files.map((file) => [relative(folder, file), readFileSync(file)]));
  artifacts.set(given["name"] ?? "", content);
  keep(given["name"] ?? "", content);
  return { code: 0, said: `${String(files.length)} files uploaded` };
}

function walk(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
}

function download(given: Given, { artifacts, workspace }: Runner): Done {
  const found = artifacts.get(given["name"] ?? "");
  if (found === undefined) return { code: 1, said: "There is no such artefact." };
  for (const [path, content] of found) {
    const place = join(workspace, given["path"] ?? "", path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  return { code: 0, said: "downloaded" };
}

function uploadSarif(given: Given, { workspace, sarif }: Runner): Done {
  sarif.push(readFileSync(join(workspace, given["sarif_file"] ?? ""), "utf8"));
  return { code: 0, said: "uploaded" };
}

/** What `harvestctl init` copies: the template of a policy repository, and the schemas and rules of this package. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../harvester/fault.js";

export const forges = ["github", "gitlab"] as const;
/** Where changes are reviewed. */
export type Forge = (typeof forges)[number];

/** Path in the repository to be, with / → content. */
export type Scaffold = ReadonlyMap<string, Uint8Array>;

/** Ours name agencies of ours: the template has one of its own. */
const LEFT_OUT = new Set(["rules/fair-use.yaml"]);
/** npm packs no file of this name: the template has it without the dot. */
const RENAMED: ReadonlyMap<string, string> = new Map([["gitignore", ".gitignore"]]);

/** `root`: the folder of this package. Throws Fault `bug` when it lacks them. */
export async function readPackageFiles(root: string, forge: Forge): Promise<Scaffold> {
  const [policy, own, rules, schemas] = await Promise.all([
    filesBelow(join(root, "templates/policy"), ""),
    forge === "gitlab" ? filesBelow(join(root, "templates/policy-gitlab"), "") : [],
    filesBelow(join(root, "rules"), "rules/"),
    filesBelow(join(root, "schemas"), "schemas/"),
  ]);
  const shipped = [...rules, ...schemas].filter(([path]) => !LEFT_OUT.has(path));
  const template = policy.flatMap(([path, content]) => {
    const place = placeOn(forge, path);
    return place === undefined ? [] : [[place, content] as const];
  });
  return new Map([...shipped, ...template, ...own]);
}

/** GitLab reads CODEOWNERS at the top, and no folder .github. */
function placeOn(forge: Forge, path: string): string | undefined {
  if (forge === "github" || !path.startsWith(".github/")) return RENAMED.get(path) ?? path;
  return path === ".github/CODEOWNERS" ? "CODEOWNERS" : undefined;
}

async function filesBelow(folder: string, as: string): Promise<readonly (readonly [string, Uint8Array])[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw incomplete(folder, error);
  });
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, `${as}${entry.name}/`);
    return entry.isFile() ? [[`${as}${entry.name}`, new Uint8Array(await readFile(path))] as const] : [];
  });
  return (await Promise.all(found)).flat();
}

function incomplete(folder: string, cause: unknown): Fault {
  return new Fault("bug", {
    code: "PackageIncomplete",
    sentence: `${folder} cannot be read, and it is part of this program.`,
    remedy: "Install harvestctl anew.",
    cause,
  });
}

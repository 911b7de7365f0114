/** Where the kubeconfig is, in kubectl's order: the path that was given, KUBECONFIG, ~/.kube/config. */
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readDocuments } from "../../source/yaml/documents.js";
import { readText } from "../../source/yaml/read-text.js";
import { isRecord, type KubeconfigFile } from "./kubeconfig.js";
import { ConfigProblem } from "./config-problem.js";

export interface KubeconfigPlaces {
  /** Path given on a command line; must exist. */
  readonly kubeconfig?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The files that are there, most important first; none when nothing names one and ~/.kube/config does not exist.
 * A missing file of KUBECONFIG is passed over as long as another is there, as kubectl does. Throws ConfigProblem.
 */
export function readKubeconfigFiles({ kubeconfig, environment }: KubeconfigPlaces): KubeconfigFile[] {
  if (kubeconfig !== undefined) return [readFile(kubeconfig) ?? missing([kubeconfig])];
  const named = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (named.length > 0) {
    const files = named.map(readFile).filter((file) => file !== undefined);
    return files.length > 0 ? files : [missing(named)];
  }
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  const usual = home === undefined ? undefined : readFile(join(home, ".kube", "config"));
  return usual === undefined ? [] : [usual];
}

function missing(paths: readonly string[]): never {
  throw new ConfigProblem("NoKubeconfig", {
    sentence: `There is no kubeconfig at ${paths.join(", ")}.`,
    remedy: "Name an existing file with --kubeconfig or KUBECONFIG.",
  });
}

function readFile(path: string): KubeconfigFile | undefined {
  const bytes = bytesOf(path);
  if (bytes === undefined) return undefined;
  const text = readText(bytes, path);
  // Findings may quote the text, and the text holds credentials: only the place is told.
  if (!text.ok) return invalid(path, "is not UTF-8 text of at most 1 MiB");
  const { documents, findings } = readDocuments(text.text, path);
  const [first] = findings;
  if (first !== undefined)
    return invalid(
      path,
      `is no valid YAML (line ${String(first.place.line)}, column ${String(first.place.column)})`,
    );
  const value = documents[0]?.value ?? {};
  if (!isRecord(value)) return invalid(path, "is no kubeconfig: it holds no mapping");
  return { path, value };
}

function bytesOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ConfigProblem("KubeconfigUnreadable", {
      sentence: `The kubeconfig ${path} cannot be read (${code}).`,
      remedy: "Check that it is a file this user may read.",
    });
  }
}

function invalid(path: string, what: string): never {
  throw new ConfigProblem("KubeconfigInvalid", {
    sentence: `The kubeconfig ${path} ${what}.`,
    remedy: "Correct the file, or name another with --kubeconfig or KUBECONFIG.",
  });
}

/** What a pod is told: environment variables and mounted files, in one place for both programs (docs/pod.md). */
import { readFile, stat } from "node:fs/promises";
import { usableSources } from "../../source/usable-sources.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { unpackInto } from "../bundle-unpack.js";
import { Fault } from "../fault.js";
import type { LogLevel } from "../report/log.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The resolved manifest of HARVEST_MANIFEST. Throws Fault `config` with the first thing that is wrong with it. */
export async function readSource(environment: Environment): Promise<HarvestSource> {
  const path = environment["HARVEST_MANIFEST"] ?? "/etc/harvest/source.yaml";
  const text = await readFile(path).catch((error: unknown) => {
    throw badManifest(`The manifest ${path} cannot be read: ${String(error)}`);
  });
  const { sources, errors } = usableSources(text, { file: path, named: true });
  const [[first], [finding]] = [sources, errors];
  if (finding !== undefined || first === undefined)
    throw badManifest(finding?.sentence ?? `${path} holds no HarvestSource.`);
  return first.source;
}

/**
 * What the store calls the source: HARVEST_SOURCE_KEY, `namespace/name`, so that two namespaces may each have a source of
 * one name; without it the name. Throws Fault `config` when it is the key of another source than the manifest's.
 */
export function sourceKeyOf(environment: Environment, { metadata }: HarvestSource): string {
  const key = environment["HARVEST_SOURCE_KEY"] ?? "";
  if (key === "") return metadata.name;
  const parts = /^(?:([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\/)?([a-z0-9.-]{1,253})$/.exec(key);
  if (parts?.[2] === metadata.name) return key;
  throw new Fault("config", {
    code: "BadSourceKey",
    sentence: `HARVEST_SOURCE_KEY is ${JSON.stringify(key.slice(0, 320))}, but the manifest is of ${metadata.name}.`,
    remedy: "Set it to namespace/name of the manifest's source, or leave it away.",
  });
}

export interface PolicyRoot {
  readonly root: string;
  /** Of the bundle that was unpacked there; absent where the folder itself is mounted. */
  readonly bundleDigest?: string;
}

/** HARVEST_ROOT, filled from HARVEST_BUNDLE where that is set. */
export async function policyRoot(environment: Environment): Promise<PolicyRoot> {
  const root = environment["HARVEST_ROOT"] ?? "/etc/harvest/policy";
  const bundle = environment["HARVEST_BUNDLE"] ?? "";
  if (bundle === "") return { root };
  const digest = environment["HARVEST_BUNDLE_DIGEST"] ?? "";
  return { root, bundleDigest: await unpackInto({ bundle, root, ...(digest === "" ? {} : { digest }) }) };
}

const mostUrlBytes = 16 * 1024;

/**
 * The database: the content of HARVEST_DATABASE_URL_FILE where that is set, else DATABASE_URL. It holds a password: it is
 * never part of a sentence. Throws Fault `config` naming the file.
 */
export async function databaseUrl(environment: Environment): Promise<string | undefined> {
  const file = environment["HARVEST_DATABASE_URL_FILE"] ?? "";
  if (file === "") return environment["DATABASE_URL"];
  const url = await readUrl(file).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw badUrlFile(`The file of the database's URL, ${file}, cannot be read (${code}).`, error);
  });
  if (url === "") throw badUrlFile(`The file of the database's URL, ${file}, is empty.`);
  return url;
}

async function readUrl(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > mostUrlBytes)
    throw badUrlFile(`The file of the database's URL, ${file}, has ${String(size)} bytes: that is no URL.`);
  return (await readFile(file, "utf8")).trim();
}

export function logLevel(environment: Environment): LogLevel {
  const level = environment["HARVEST_LOG_LEVEL"];
  return level === "debug" || level === "warn" || level === "error" ? level : "info";
}

function badManifest(sentence: string): Fault {
  return new Fault("config", {
    code: "BadManifest",
    sentence,
    remedy: "Lint the manifest with harvestctl lint.",
  });
}

function badUrlFile(sentence: string, cause?: unknown): Fault {
  if (cause instanceof Fault) return cause;
  return new Fault("config", {
    code: "DatabaseUrlFile",
    sentence,
    remedy:
      "Check that the Secret with the database's URL exists and is mounted at HARVEST_DATABASE_URL_FILE.",
    cause,
  });
}

/** The programs of the harvest image as a kubelet runs them: a folder of mounts, environment in, exit code and message out. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packBundle } from "../../source/bundle/pack-bundle.js";
import { start, type Finished } from "./program.js";
import { manifestOf, root } from "./scene.js";

export interface Ended extends Finished {
  /** The termination message as the controller reads it; undefined when there is none. */
  readonly message: Readonly<Record<string, unknown>> | undefined;
  readonly messageBytes: number;
}

export interface Pod {
  readonly dir: string;
  /** Writes a file below the pod's folder; its folders are made. Returns the full path. */
  write(path: string, content: string | Uint8Array): string;
  /** Writes the manifest of a source of this name. */
  manifest(url: string, spec?: Parameters<typeof manifestOf>[1], name?: string): string;
  /** The policy of this repository, or these files, as the mounted bundle. Returns its digest. */
  bundle(files?: ReadonlyMap<string, Uint8Array>): string;
  run(env?: Readonly<Record<string, string>>, program?: "main" | "withdraw"): Promise<Ended>;
  remove(): void;
}

const policyPaths = [
  "schemas/oai_dc.xsd",
  "schemas/oai_dc/dc.xsd",
  "rules/oai-dc-rules.sch",
  "rules/fair-use.yaml",
];

/** What a source of oai_dc needs of this repository's policy. */
export function smallPolicy(): Map<string, Uint8Array> {
  return new Map(policyPaths.map((path) => [path, readFileSync(join(root, path))]));
}

export function pod(): Pod {
  const dir = mkdtempSync(join(tmpdir(), "pod-"));
  function write(path: string, content: string | Uint8Array): string {
    const full = join(dir, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  }
  return {
    dir,
    write,
    manifest: (url, spec, name = "scene") =>
      write("source.yaml", JSON.stringify(manifestOf(url, spec, name))),
    bundle(files = smallPolicy()) {
      const { bytes, digest } = packBundle(files);
      write("bundle/policy.json.gz", bytes);
      return digest;
    },
    async run(env = {}, program = "main") {
      const mounted = {
        HARVEST_MANIFEST: join(dir, "source.yaml"),
        HARVEST_BUNDLE: join(dir, "bundle"),
        HARVEST_ROOT: join(dir, "policy"),
        HARVEST_SECRETS: join(dir, "secrets"),
        HARVEST_TERMINATION_MESSAGE: join(dir, "termination-log"),
      };
      rmSync(mounted.HARVEST_TERMINATION_MESSAGE, { force: true });
      const options = { cwd: dir, env: { ...mounted, ...env } };
      const finished = await start([], options, join(root, `dist/harvester/${program}.js`)).finished;
      return { ...finished, ...messageOf(mounted.HARVEST_TERMINATION_MESSAGE) };
    },
    remove() {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function messageOf(path: string): Pick<Ended, "message" | "messageBytes"> {
  if (!existsSync(path)) return { message: undefined, messageBytes: 0 };
  const bytes = readFileSync(path);
  return {
    message: JSON.parse(bytes.toString("utf8")) as Record<string, unknown>,
    messageBytes: bytes.length,
  };
}

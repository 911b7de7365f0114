/** Where the commands of the operator's guide are run: what a clone holds, kubectl and harvestctl, a cluster and a database. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeWithUs } from "./cluster-process.js";
import type { ControlPlane } from "./control-plane.js";

const repositoryRoot = join(import.meta.dirname, "../..");

export interface OperatorDesk {
  /** A copy; what the commands write stays in it. */
  readonly folder: string;
  /** With `bash -euo pipefail`; standard output and standard error as a terminal shows them. */
  run(commands: string): Promise<{ readonly code: number; readonly output: string }>;
  remove(): void;
}

export interface DeskWish {
  readonly plane: ControlPlane;
  /** For DATABASE_URL. */
  readonly databaseUrl: string;
}

export async function openDesk({ plane, databaseUrl }: DeskWish): Promise<OperatorDesk> {
  const folder = mkdtempSync(join(tmpdir(), "operator-"));
  const release = removeWithUs(folder);
  for (const part of ["crds", "manifests", "rules", "schemas"])
    cpSync(join(repositoryRoot, part), join(folder, part), { recursive: true });
  await listenElsewhere(folder);
  const bin = layOutPrograms(folder, plane);
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    KUBECONFIG: plane.kubeconfig,
    KUBERC: "off",
    KUBECACHEDIR: join(folder, ".kube-cache"),
    DATABASE_URL: databaseUrl,
    NO_COLOR: "1",
    TZ: "UTC",
  };
  return {
    folder,
    run: (commands) =>
      new Promise((resolve) => {
        // One stream, so that what went wrong stands where it did.
        const args = ["-euo", "pipefail", "-c", `exec 2>&1\n${commands}`];
        execFile("bash", args, { cwd: folder, env, maxBuffer: 1 << 24 }, (problem, output) => {
          resolve({ code: problem === null ? 0 : Number(problem.code ?? 255), output });
        });
      }),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
      release();
    },
  };
}

function layOutPrograms(folder: string, { assets }: ControlPlane): string {
  const bin = join(folder, ".bin");
  mkdirSync(bin);
  symlinkSync(join(assets, "kubectl"), join(bin, "kubectl"));
  const harvestctl = join(bin, "harvestctl");
  const run = join(repositoryRoot, "dist/cli/bin/run.js");
  writeFileSync(harvestctl, `#!/usr/bin/env bash\nexec "${process.execPath}" "${run}" "$@"\n`);
  chmodSync(harvestctl, 0o755);
  return bin;
}

/** A pod has ports of its own; processes of this machine share them, so this controller gets one that is free. */
async function listenElsewhere(folder: string): Promise<void> {
  const port = String(await freePort());
  const base = join(folder, "manifests/install");
  change(join(base, "base/deployment.yaml"), (text) =>
    text.replace("containerPort: 8080", `containerPort: ${port}`),
  );
  change(join(base, "overlays/namespaced/controller/controller.yaml"), (text) => `${text}port: ${port}\n`);
}

function change(file: string, edit: (text: string) => string): void {
  const text = readFileSync(file, "utf8");
  const edited = edit(text);
  if (edited === text) throw new Error(`${file} is not what this test knows: nothing was changed in it.`);
  writeFileSync(file, edited);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => {
        resolve(port);
      });
    });
  });
}

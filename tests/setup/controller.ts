/** The real controller as a process of its own, with a configuration file and a kubeconfig. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stringify } from "yaml";

export interface ControllerWish {
  /** Path; may lead through a proxy. */
  readonly kubeconfig: string;
  /** Where it lives and keeps its lease. */
  readonly namespace: string;
  /** Fields of the configuration file over the usual ones of tests. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly bundleName: string;
  readonly identity?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface TestController {
  readonly pid: number;
  /** Of its health page. */
  url(): Promise<string>;
  /** Everything it wrote, as parsed lines. */
  lines(): readonly Readonly<Record<string, unknown>>[];
  /** Waits for a line whose message holds the text. */
  said(text: string, seconds?: number): Promise<Readonly<Record<string, unknown>>>;
  metrics(): Promise<string>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** SIGTERM, and its end. */
  stop(): Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

const program = join(import.meta.dirname, "../../dist/controller/main.js");

/** Usual for tests: quick election, small pods. */
export function configText(wish: ControllerWish): string {
  const { harvester = {}, ...more } = (wish.config ?? {}) as { harvester?: object };
  return stringify({
    port: 0,
    watchNamespaces: [wish.namespace],
    logLevel: "debug",
    leaderElection: { leaseSeconds: 6, renewSeconds: 4, retrySeconds: 1 },
    ...more,
    harvester: {
      image: "example.invalid/harvester@sha256:00",
      policyBundle: wish.bundleName,
      contact: "harvest@example.org",
      resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "1Gi" } },
      ...harvester,
    },
  });
}

export function startController(wish: ControllerWish): TestController {
  const folder = mkdtempSync(join(tmpdir(), "controller-"));
  const config = join(folder, "controller.yaml");
  writeFileSync(config, configText(wish));
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      KUBECONFIG: wish.kubeconfig,
      HARVEST_CONTROLLER_CONFIG: config,
      POD_NAMESPACE: wish.namespace,
      POD_NAME: wish.identity ?? "controller",
      ...wish.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => output.push(chunk.toString("utf8")));
  const ended = new Promise<number | string>((resolve) => {
    child.on("exit", (code, signal) => {
      rmSync(folder, { recursive: true, force: true });
      resolve(code ?? signal ?? "unknown");
    });
  });
  const lines = () => parsedLines(output.join(""));
  const controller: TestController = {
    pid: child.pid ?? 0,
    lines,
    said: (text, seconds = 30) => said(text, { lines, seconds }),
    url: async () => `http://127.0.0.1:${String((await controller.said("Started."))["port"])}`,
    metrics: async () => (await fetch(`${await controller.url()}/metrics`)).text(),
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      return ended;
    },
    kill: (signal) => {
      child.kill(signal);
    },
  };
  return controller;
}

function parsedLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return whole
    .filter((line) => line !== "")
    .map((line) => {
      try {
        return JSON.parse(line) as Readonly<Record<string, unknown>>;
      } catch {
        return { message: line };
      }
    });
}

async function said(
  text: string,
  { lines, seconds }: { readonly lines: TestController["lines"]; readonly seconds: number },
): Promise<Readonly<Record<string, unknown>>> {
  for (let i = 0; i < seconds * 10; i++) {
    const found = lines().find(({ message }) => String(message).includes(text));
    if (found !== undefined) return found;
    await wait(100);
  }
  const last = lines()
    .slice(-20)
    .map((line) => JSON.stringify(line))
    .join("\n");
  throw new Error(
    `The controller did not say "${text}" within ${String(seconds)} s. Its last lines:\n${last}`,
  );
}

/**
 * A server process that cannot outlive the tests. A small shell stands between: it holds one end of a pipe of ours, passes
 * on the signals written to it, and kills its child when the pipe closes, which it does however we die.
 */
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** Signal names as kill(1) takes them. */
export type SignalName = "TERM" | "KILL" | "STOP" | "CONT" | "INT" | "HUP" | "QUIT";

export interface ReapedProcess {
  readonly pid: number;
  /** Exit code (128 + signal for a killed one); undefined while it runs. */
  exitCode(): number | undefined;
  signal(name: SignalName): void;
  /** Resolves once it is gone. */
  readonly exited: Promise<void>;
  /** SIGTERM, and SIGKILL after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

export interface ReapedOptions {
  /** stdout and stderr are appended to it. */
  readonly log: string;
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

const guardian = `
exec 3<&0
"$@" </dev/null 3<&- 4>&- &
child=$!
echo "$child" >&4
exec 4>&-
{ while read -r signal <&3; do kill "-$signal" "$child"; done; kill -KILL "$child"; } 2>/dev/null &
guard=$!
exec 3<&- </dev/null 2>/dev/null
wait "$child"
code=$?
kill "$guard" 2>/dev/null
exit "$code"`;

export async function startReaped(
  program: string,
  args: readonly string[],
  { log, cwd, env }: ReapedOptions,
): Promise<ReapedProcess> {
  const file = openSync(log, "a");
  // Detached: Ctrl-C in the terminal must not kill the guardian before it has killed its child.
  const shell = spawn("sh", ["-c", guardian, "sh", program, ...args], {
    cwd,
    env: env ?? process.env,
    stdio: ["pipe", file, file, "ignore", "pipe"],
    detached: true,
  });
  closeSync(file);
  let code: number | undefined;
  const exited = new Promise<void>((resolve) => {
    shell.once("exit", (status) => {
      code = status ?? 255;
      resolve();
    });
    shell.once("error", (problem) => {
      appendFileSync(log, `${String(problem)}\n`);
      code = 255;
      resolve();
    });
  });
  shell.stdin?.on("error", () => undefined);
  const pid = await readPid(shell.stdio[4] as NodeJS.ReadableStream | null, exited);
  shell.unref();
  const signal = (name: SignalName): void => {
    if (code !== undefined) return;
    // Somebody now waits for its end.
    if (name === "KILL" || name === "TERM") shell.ref();
    shell.stdin?.write(`${name}\n`);
  };
  return {
    pid,
    exitCode: () => code,
    signal,
    exited,
    async stop(graceMs = 3_000) {
      signal("TERM");
      await Promise.race([exited, wait(graceMs, undefined, { ref: false })]);
      signal("KILL");
      await exited;
    },
  };
}

async function readPid(pipe: NodeJS.ReadableStream | null, exited: Promise<void>): Promise<number> {
  if (pipe === null) return 0;
  const [bytes] = (await Promise.race([once(pipe, "data"), exited.then(() => ["0"])])) as [Buffer | string];
  return Number(String(bytes).trim());
}

/** Removes `folder` once this process is gone, unless what it returns was called before. */
export function removeWithUs(folder: string): () => void {
  const shell = spawn("sh", ["-c", 'read -r _ && exit 0; sleep 2; rm -rf "$1"', "sh", folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.stdin.on("error", () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref?: () => void }).unref?.();
  return () => {
    shell.stdin.end("stay\n");
  };
}

/** The last lines of a log, for the message of a failure. */
export function tailOf(log: string, lines = 15): string {
  if (!existsSync(log)) return "";
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export interface GitCall {
  readonly args: readonly string[];
  /** Everything git sees of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutSeconds: number;
  /** More on standard output ends the call. */
  readonly maxOutputBytes: number;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** The call ends when the files below grow beyond. */
  readonly folder?: { readonly path: string; readonly maxBytes: number };
}

export interface GitEnd {
  /** Exit code; undefined = it was stopped, or never began. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly stopped?: "timeout" | "too-big" | "aborted" | "not-found";
}

const MAX_STDERR = 16_384;
const FOLDER_LOOK_MS = 200;
/** Enough for the object folders of a shallow repository. */
const MAX_FOLDER_ENTRIES = 100_000;

/** Runs git without a shell, in a process group of its own that is killed as a whole when it is too slow or too big. */
export async function runGit(call: GitCall): Promise<GitEnd> {
  if (call.signal?.aborted === true) return ended(undefined, [], { text: "", stopped: "aborted" });
  return new Promise((resolve) => {
    const child = spawn("git", call.args, { cwd: call.cwd, env: call.environment, detached: true });
    const chunks: Buffer[] = [];
    const end: { text: string; stopped?: GitEnd["stopped"] } = { text: "" };
    const guard = guardCall(call, (why) => {
      end.stopped ??= why;
      killGroup(child);
    });
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      guard.count(chunk.length);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (end.text.length < MAX_STDERR) end.text += chunk.toString("utf8");
    });
    // A git that ends early closes its input: its exit code tells, not the pipe.
    child.stdin.on("error", () => undefined);
    child.stdin.end(call.input ?? "");
    child.on("error", () => {
      guard.done();
      end.stopped ??= "not-found";
      resolve(ended(undefined, chunks, end));
    });
    child.on("close", (code) => {
      guard.done();
      resolve(ended(code ?? undefined, chunks, end));
    });
  });
}

function ended(
  code: number | undefined,
  chunks: readonly Buffer[],
  { text, stopped }: { readonly text: string; readonly stopped?: GitEnd["stopped"] },
): GitEnd {
  return { code, stdout: Buffer.concat(chunks), stderr: text, ...(stopped === undefined ? {} : { stopped }) };
}

/** Watches time, output, folder and the caller's signal; calls `stop` once one is too much. */
function guardCall(
  call: GitCall,
  stop: (why: "timeout" | "too-big" | "aborted") => void,
): { count(bytes: number): void; done(): void } {
  const { timeoutSeconds, maxOutputBytes, folder, signal } = call;
  let bytes = 0;
  let finished = false;
  function abort(): void {
    stop("aborted");
  }
  async function look(): Promise<void> {
    if (folder !== undefined && (await folderBytes(folder.path)) > folder.maxBytes && !finished)
      stop("too-big");
  }
  const timer = setTimeout(() => stop("timeout"), timeoutSeconds * 1000);
  const looks = folder === undefined ? undefined : setInterval(() => void look(), FOLDER_LOOK_MS);
  signal?.addEventListener("abort", abort, { once: true });
  return {
    count(more) {
      bytes += more;
      if (bytes > maxOutputBytes) stop("too-big");
    },
    done() {
      finished = true;
      clearTimeout(timer);
      clearInterval(looks);
      signal?.removeEventListener("abort", abort);
    },
  };
}

/** git starts programs of its own (ssh, index-pack): they go with it. */
function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Bytes of all files below; 0 for what is not there (any more). */
export async function folderBytes(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  if (entries.length > MAX_FOLDER_ENTRIES) return Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const entry of entries) {
    const found = await stat(join(path, entry)).catch(() => undefined);
    if (found?.isFile() === true) bytes += found.size;
  }
  return bytes;
}

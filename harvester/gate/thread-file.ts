/** Which file a gate thread runs, and with what loader: compiled files run compiled files, sources run sources. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export interface ThreadFile {
  readonly url: URL;
  /** Node options of the thread; undefined = those of this process. */
  readonly execArgv: readonly string[] | undefined;
}

/** harvester/gate-thread, as this file is. */
export function threadFile(): ThreadFile {
  const fromSources = import.meta.url.endsWith(".ts");
  const url = new URL(`../gate-thread.${fromSources ? "ts" : "js"}`, import.meta.url);
  return { url, execArgv: fromSources ? typeScriptLoader() : undefined };
}

/** Node 20 does not hand the loader of TypeScript on to threads: each registers it for itself. */
function typeScriptLoader(): readonly string[] {
  const required = createRequire(import.meta.url).resolve("tsx/esm/api");
  const loader = pathToFileURL(required.replace(/\.cjs$/, ".mjs")).href;
  const register = `import { register } from ${JSON.stringify(loader)}; register();`;
  return ["--import", `data:text/javascript,${encodeURIComponent(register)}`];
}

import { CONTROL_PATH } from "./http/server.js";
import type { Sandbox } from "./sandbox.js";

export interface Announcement {
  readonly json: {
    readonly url: string;
    readonly port: number;
    readonly control: string;
    readonly records: number;
    readonly formats: readonly string[];
    readonly skipped: readonly string[];
  };
  readonly text: string;
}

/** What is said once the server listens: where it is, what it serves, what to try. */
export function announcement({ url, port, serves }: Pick<Sandbox, "url" | "port" | "serves">): Announcement {
  const control = new URL(CONTROL_PATH, url).href;
  const { records, formats, skipped } = serves;
  const lines = [
    `${records.toLocaleString("en")} records at ${url} (${formats.join(", ")})`,
    ...skipped.map((line) => `  not served: ${line}`),
    `  look     curl '${url}?verb=ListIdentifiers&metadataPrefix=${formats.at(-1) ?? "oai_dc"}'`,
    `  change   curl -H 'content-type: application/json' -d '{"do":"change","index":0}' ${control}`,
    `  break    curl -H 'content-type: application/json' -d '{"kind":"status","status":503,"retryAfter":30}' ${control}/faults`,
    `  stop     Ctrl-C`,
  ];
  return { json: { url, port, control, records, formats, skipped }, text: `${lines.join("\n")}\n` };
}

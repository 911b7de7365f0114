/** Answers as tests save them: bytes, cut into chunks wherever the test wants. */
import type { HttpResponse } from "../http.js";

/** Chunks of these sizes, over and over; none: in one piece. */
export async function* chunked(
  bytes: Uint8Array,
  sizes: readonly number[] = [],
): AsyncGenerator<Uint8Array, void, void> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % Math.max(sizes.length, 1)] ?? bytes.length;
    // A copy: whoever reads must not count on the chunk staying as it is.
    yield await Promise.resolve(new Uint8Array(bytes.subarray(at, at + size)));
    at += size;
  }
}

export interface Saved {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks?: readonly number[];
  readonly url?: string;
}

export function answer(body: string | Uint8Array, saved: Saved = {}): HttpResponse {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  return {
    status: saved.status ?? 200,
    headers: saved.headers ?? { "content-type": "text/xml; charset=utf-8" },
    url: saved.url ?? "https://repo.example.org/oai",
    body: chunked(bytes, saved.chunks),
    warnings: [],
  };
}

const OAI = "http://www.openarchives.org/OAI/2.0/";

/** An OAI-PMH document around `content`. */
export function oaiDocument(content: string, responseDate = "2026-03-02T06:00:00Z"): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="${OAI}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
    `<responseDate>${responseDate}</responseDate><request verb="ListRecords">https://repo.example.org/oai</request>` +
    `${content}</OAI-PMH>\n`
  );
}

export interface RecordText {
  readonly identifier: string;
  readonly datestamp?: string;
  readonly title?: string;
  readonly deleted?: boolean;
  readonly sets?: readonly string[];
}

export function headerText(record: RecordText): string {
  const status = record.deleted === true ? ' status="deleted"' : "";
  const sets = (record.sets ?? []).map((set) => `<setSpec>${set}</setSpec>`).join("");
  const datestamp = record.datestamp ?? "2026-03-01T08:00:00Z";
  return `<header${status}><identifier>${record.identifier}</identifier><datestamp>${datestamp}</datestamp>${sets}</header>`;
}

export function dublinCore(title: string): string {
  return (
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
    `<dc:title>${title}</dc:title></oai_dc:dc>`
  );
}

export function recordText(record: RecordText): string {
  const body =
    record.deleted === true ? "" : `<metadata>${dublinCore(record.title ?? record.identifier)}</metadata>`;
  return `<record>${headerText(record)}${body}</record>`;
}

export function listRecords(records: readonly string[], token = ""): string {
  return oaiDocument(`<ListRecords>\n${records.join("\n")}\n${token}</ListRecords>`);
}

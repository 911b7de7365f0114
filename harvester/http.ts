/** A request and its answer, as protocols see them: no library behind it, so that a protocol is tested with a saved answer. */

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; several values joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The address that answered, after redirects, without secrets. */
  readonly url: string;
  /** Decoded (gzip, br, deflate) and bounded bytes. Reading throws a Fault when the body is cut, stalled or too big. One pass only. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Things worth telling: a permanent redirect, a mislabelled encoding. */
  readonly warnings: readonly { readonly code: string; readonly sentence: string }[];
}

/** A client that writes down what it is asked and what is answered, as its reader reads it. */
import { asFault, type Fault } from "../fault.js";
import type { HttpResponse } from "../http.js";
import type { Client } from "./client.js";
import type { TapeExchange, TapeFault, TapeRequest } from "./exchange-tape.js";
import { masked, secretTexts, strippedHeaders, strippedRequest } from "./exchange-tape-strip.js";
import type { TapeWriter } from "./exchange-tape-writer.js";

export interface RecorderOptions {
  readonly source: string;
  readonly tape: TapeWriter;
  /** Milliseconds since the run began. */
  readonly elapsed: () => number;
  /** Headers that go with requests and are written down nowhere. */
  readonly secretHeaders: () => Promise<Readonly<Record<string, string>>>;
}

/** An answer is one line, written when its reader has come to its end, or leaves. */
export function recordingClient(client: Client, options: RecorderOptions): Client {
  const { source, tape } = options;
  return {
    async send(request, signal) {
      const written = strippedRequest(request);
      const begun = { kind: "exchange", source, request: written } as const;
      try {
        const response = await client.send(request, signal);
        const secrets = secretTexts(request.url, await options.secretHeaders());
        const take: Take = { ...begun, at: options.elapsed(), secrets, tape };
        return { ...response, body: taped(response, take) };
      } catch (thrown) {
        const fault = asFault(thrown);
        // A stop of ours is no answer of the source; a budget that is used up ends the replay where it ended the run.
        if (fault.code === "RequestBudget" || (fault.kind !== "interrupted" && fault.kind !== "bug"))
          await tape.write({ ...begun, at: options.elapsed(), fault: faultOf(fault) });
        throw fault;
      }
    },
    traffic: () => client.traffic(),
    close: () => client.close(),
  };
}

interface Take extends Pick<TapeExchange, "kind" | "source" | "at"> {
  readonly request: TapeRequest;
  readonly secrets: readonly string[];
  readonly tape: TapeWriter;
}

async function* taped(response: HttpResponse, take: Take): AsyncGenerator<Uint8Array, void, void> {
  const pieces: Uint8Array[] = [];
  let ended = false;
  let fault: Fault | undefined;
  try {
    for await (const piece of response.body) {
      pieces.push(Uint8Array.from(piece));
      yield piece;
    }
    ended = true;
  } catch (thrown) {
    fault = asFault(thrown);
    throw fault;
  } finally {
    await take.tape.write(lineOf(response, take, { pieces, fault, left: !ended && fault === undefined }));
  }
}

interface Heard {
  readonly pieces: readonly Uint8Array[];
  readonly fault: Fault | undefined;
  readonly left: boolean;
}

function lineOf(response: HttpResponse, take: Take, { pieces, fault, left }: Heard): TapeExchange {
  const { kind, source, at, request, secrets } = take;
  const { status, url, headers, warnings } = response;
  return {
    kind,
    source,
    at,
    request,
    response: {
      status,
      url,
      headers: strippedHeaders(headers),
      warnings,
      body: masked(Buffer.concat(pieces), secrets).toString("base64"),
      pieces: pieces.map((piece) => piece.byteLength),
      ...(left ? { left } : {}),
    },
    ...(fault === undefined ? {} : { fault: faultOf(fault) }),
  };
}

/** Sentences of the wire are without secrets already. */
function faultOf({ kind, detail }: Fault): TapeFault {
  const { code, sentence, remedy, status, retryAfterMs } = detail;
  return {
    fault: kind,
    code,
    sentence,
    ...(remedy === undefined ? {} : { remedy }),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

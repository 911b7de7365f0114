/** An OAI-PMH repository of a few records in memory, for tests of the loop: it answers requests, and misbehaves on demand. */
import { Fault } from "../fault.js";
import type { HttpRequest, HttpResponse } from "../http.js";
import { asFault, faultTable } from "../fault.js";
import type { Wire } from "./exchange.js";
import { answer, headerText, oaiDocument, recordText, type RecordText, type Saved } from "./saved-answer.js";

export interface Asked {
  readonly verb: string;
  readonly arguments: URLSearchParams;
  /** 1 for the first request of the test. */
  readonly ordinal: number;
}

export interface Misbehaviour {
  /** Instead of the right answer; undefined: the right answer. */
  (asked: Asked, right: () => string): string | Saved | Error | undefined;
}

export interface SmallRepository {
  readonly wire: Wire;
  /** `ListRecords from=… …`, in order. */
  readonly log: string[];
}

const SERVER_TIME = "2026-03-02T06:00:00Z";

export function smallRepository(
  records: readonly RecordText[],
  options: {
    readonly pageSize?: number;
    readonly attempts?: number;
    readonly misbehave?: Misbehaviour;
    readonly size?: boolean;
  } = {},
): SmallRepository {
  const log: string[] = [];
  function send(request: HttpRequest): Promise<HttpResponse> {
    const args = new URL(request.url).searchParams;
    const asked = { verb: args.get("verb") ?? "", arguments: args, ordinal: log.length + 1 };
    log.push([...args].map(([name, value]) => (name === "verb" ? value : `${name}=${value}`)).join(" "));
    const odd = options.misbehave?.(asked, () => rightAnswer(records, asked, options));
    if (odd instanceof Error) return Promise.reject(odd);
    if (typeof odd === "object") return Promise.resolve(answer("<html>failed</html>", odd));
    return Promise.resolve(answer(odd ?? rightAnswer(records, asked, options), { chunks: [17] }));
  }
  return { log, wire: { send, attempt: (operation) => tryAgain(operation, options.attempts ?? 3) } };
}

/** Without waiting. */
async function tryAgain<T>(operation: (attempt: number) => Promise<T>, attempts: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation(attempt);
    } catch (thrown) {
      if (attempt >= attempts || !faultTable[asFault(thrown).kind].retry) throw thrown;
    }
  }
}

export function reset(): Fault {
  return new Fault("transient", { code: "Reset", sentence: "The connection was reset." });
}

function rightAnswer(
  records: readonly RecordText[],
  asked: Asked,
  options: { pageSize?: number; size?: boolean },
): string {
  const { verb } = asked;
  if (verb === "Identify")
    return oaiDocument("<Identify><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify>");
  if (verb === "GetRecord") {
    const found = records.find((record) => record.identifier === asked.arguments.get("identifier"));
    return oaiDocument(
      found === undefined ? '<error code="idDoesNotExist"/>' : `<GetRecord>${recordText(found)}</GetRecord>`,
    );
  }
  return list(records, asked, options);
}

/** Tokens hold from, until and offset in clear, as those of many servers do. */
function list(
  records: readonly RecordText[],
  asked: Asked,
  options: { pageSize?: number; size?: boolean },
): string {
  const [from = "", until = "9", start = "0"] = partsOf(asked.arguments);
  const selected = records.filter((record) => isWithin(record, from, until));
  if (selected.length === 0) return oaiDocument('<error code="noRecordsMatch"/>', SERVER_TIME);
  const offset = Number(start);
  const next = offset + pageSizeOf(options);
  const texts = selected.slice(offset, next).map(asked.verb === "ListRecords" ? recordText : headerText);
  const attributes = options.size === true ? ` completeListSize="${String(selected.length)}"` : "";
  const token = next < selected.length ? `${from}|${until}|${String(next)}`.replace("|9|", "||") : "";
  const element =
    token === "" && offset === 0 ? "" : `<resumptionToken${attributes}>${token}</resumptionToken>`;
  return oaiDocument(`<${asked.verb}>${texts.join("")}${element}</${asked.verb}>`, SERVER_TIME);
}

function partsOf(args: URLSearchParams): (string | undefined)[] {
  const token = args.get("resumptionToken");
  const parts = token === null ? [args.get("from"), args.get("until")] : token.split("|");
  return parts.map((part) => (part === null || part === "" ? undefined : part));
}

function isWithin({ datestamp = "" }: RecordText, from: string, until: string): boolean {
  return datestamp >= from && datestamp <= until;
}

function pageSizeOf({ pageSize = 2 }: { readonly pageSize?: number }): number {
  return pageSize;
}

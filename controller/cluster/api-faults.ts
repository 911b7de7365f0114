/** Everything that can go wrong with a request, as an ApiFault and as what the retry decision needs to know. Pure. */
import { ApiFault } from "../api.js";
import { TooLarge } from "./body.js";
import { ConfigProblem } from "./config-problem.js";
import { networkFailure } from "./network-failure.js";
import { describeRequest, type RequestInfo } from "./request-info.js";
import { isTerminal, type Failure } from "./retry-decision.js";
import { readServerStatus, type ServerStatus } from "./server-status.js";
import { isKindMissing, statusSentence } from "./status-sentence.js";
import { WatchBroken } from "./watch-lines.js";

export interface Failed {
  readonly fault: ApiFault;
  readonly failure: Failure;
}

/** Where a fault happened. */
export interface Scene {
  readonly info: RequestInfo;
  /** https://host:port, for sentences. */
  readonly origin: string;
}

export interface BadAnswer {
  readonly status: number;
  /** At most some KiB. */
  readonly body: string;
  /** Of the Retry-After header. */
  readonly retryAfterMs: number | undefined;
}

export function answerFailed({ info }: Scene, answer: BadAnswer): Failed {
  const { status, body } = answer;
  const said = readServerStatus(status, body);
  const asked = answer.retryAfterMs ?? inMs(said);
  const fault = new ApiFault(statusSentence({ status, said, info }), {
    status,
    reason: reasonOf(status, said),
    verb: info.verb,
    resource: info.resource,
    ...(asked === undefined ? {} : { retryAfterSeconds: asked / 1000 }),
    ...(said.genuine ? { cause: said } : {}),
  });
  const failure: Failure = {
    kind: "status",
    status,
    message: said.message,
    ...(asked === undefined ? {} : { retryAfterMs: asked }),
  };
  return { fault, failure };
}

/** Two answers need a name of their own: a caller must not take them for a missing object, or for a passing failure. */
function reasonOf(status: number, said: ServerStatus): string {
  if (status === 404 && isKindMissing(said)) return "KindNotServed";
  return status === 500 && isTerminal(said.message) ? "FieldUnknown" : said.reason;
}

function inMs({ retryAfterSeconds }: ServerStatus): number | undefined {
  return retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
}

/** `error`: anything thrown on the way, an ApiFault passes unchanged. `ended`: by whom the request was stopped, if it was. */
export function requestFailed(
  scene: Scene,
  error: unknown,
  ended?: "by caller" | "by time" | undefined,
): Failed {
  if (error instanceof ApiFault) return final(error);
  if (ended === "by caller")
    return final(faultOf(scene, { reason: "Aborted", why: "it was stopped", error }));
  if (error instanceof ConfigProblem)
    return final(faultOf(scene, { reason: error.code, why: error.message, error }));
  if (error instanceof TooLarge)
    return final(faultOf(scene, { reason: "TooLarge", why: tooLarge(error), error }));
  if (error instanceof WatchBroken)
    return final(faultOf(scene, { reason: error.reason, why: error.message, error }));
  if (error instanceof NotJson)
    return final(faultOf(scene, { reason: "NotJson", why: error.message, error }));
  const known =
    ended === "by time" ? networkFailure({ code: "UND_ERR_HEADERS_TIMEOUT" }) : networkFailure(error);
  const why = `the API server at ${scene.origin} ${known.what}. ${known.remedy}`;
  return {
    fault: faultOf(scene, { reason: known.reason, why, error }),
    failure: { kind: "network", group: known.group },
  };
}

/** Nothing was sent. */
export function mayNotWrite(scene: Scene): ApiFault {
  const why = "this process does not lead any more, and another may";
  return faultOf(scene, { reason: "MayNotWrite", why, error: undefined });
}

function final(fault: ApiFault): Failed {
  return { fault, failure: { kind: "network", group: "final" } };
}

function tooLarge({ maxBytes }: TooLarge): string {
  const mebibytes = Math.round(maxBytes / 1024 / 1024);
  return `the answer has more than ${String(mebibytes)} MiB, which is not read. Ask for less: a namespace, a selector, a smaller limit`;
}

/** A success whose body is not what the API server sends. */
export class NotJson extends Error {
  override readonly name = "NotJson";

  constructor() {
    super(
      "the answer is no JSON of the kind that was asked for. Is there a proxy or a login page before the API server?",
    );
  }
}

function faultOf(
  { info }: Scene,
  { reason, why, error }: { readonly reason: string; readonly why: string; readonly error: unknown },
): ApiFault {
  const end = /[.?!]$/.test(why) ? "" : ".";
  return new ApiFault(`Could not ${describeRequest(info)}: ${why}${end}`, {
    status: 0,
    reason,
    verb: info.verb,
    resource: info.resource,
    cause: error,
  });
}

/** What a dry run asks, within which bounds, and beside which store. */
import { readTape, type Tape } from "../../harvester/fetch/exchange-tape-reader.js";
import { storeDirectory } from "../../harvester/open-database.js";
import { sandboxFor, type SandboxTarget } from "../dry-run-target.js";
import { findRealStore, type FoundStore } from "./real-store.js";
import { startRecording, type Recording } from "./recording.js";

/** Records of a source unless told. */
export const defaultLimit = 200;
/** Requests to a real endpoint unless told: Identify and a few pages, and nobody's server notices. */
export const liveRequests = 10;

export interface Wishes {
  readonly root: string;
  readonly store?: string | undefined;
  readonly live: boolean;
  readonly limit?: number | undefined;
  readonly "max-requests"?: number | undefined;
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
}

export interface Choice {
  readonly kind: "sandbox" | "live" | "replay";
  readonly limit: number;
  readonly maxRequests: number | undefined;
  readonly replay: Tape | undefined;
  readonly sandbox: SandboxTarget | undefined;
  readonly recording: Recording | undefined;
  readonly found: FoundStore;
}

/** Throws Fault `config` for a recording that cannot be read or written. */
export async function choose(wishes: Wishes, environment: Environment): Promise<Choice> {
  const replay = wishes.replay === undefined ? undefined : await readTape(wishes.replay);
  const kind = replay !== undefined ? "replay" : wishes.live ? "live" : "sandbox";
  const bounds = boundsOf(wishes, kind, replay);
  const found = await findRealStore({
    url: environment["DATABASE_URL"],
    directory: wishes.store ?? storeDirectory(wishes.root),
  });
  const recording = wishes.record === undefined ? undefined : await startRecording(wishes.record, bounds);
  const sandbox =
    kind === "sandbox" ? await sandboxFor(environment["OAI_SANDBOX_URL"], bounds.limit) : undefined;
  return { kind, ...bounds, replay, recording, found, sandbox };
}

type Environment = Readonly<Record<string, string | undefined>>;

function boundsOf(
  wishes: Wishes,
  kind: Choice["kind"],
  replay: Tape | undefined,
): Pick<Choice, "limit" | "maxRequests"> {
  return {
    limit: wishes.limit ?? replay?.head.limit ?? defaultLimit,
    maxRequests: wishes["max-requests"] ?? (kind === "live" ? liveRequests : undefined),
  };
}

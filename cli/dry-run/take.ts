/** Puts a recording between a trial and the wire, or plays one in its place. */
import type { WireParts } from "../../harvester/assemble.js";
import { Fault } from "../../harvester/fault.js";
import type { Client } from "../../harvester/fetch/client.js";
import { playingClient, type Player } from "../../harvester/fetch/exchange-tape-player.js";
import type { Tape } from "../../harvester/fetch/exchange-tape-reader.js";
import { recordingClient } from "../../harvester/fetch/exchange-tape-recorder.js";
import type { TapeWriter } from "../../harvester/fetch/exchange-tape-writer.js";
import { stripUrl } from "../../harvester/fetch/redact.js";
import type { Behind } from "../../harvester/persist/memory-store.js";
import type { Clock } from "../../harvester/run/run.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { nameOf } from "../../source/source-name.js";
import { playedBehind, recordedBehind } from "./tape-store.js";
import { playingClock, recordingClock } from "./tape-clock.js";
import { aimed, type TrialTarget } from "./trial-target.js";

/** What a trial is given of a recording. */
export interface Take {
  readonly aimed: HarvestSource;
  readonly behind?: Behind | undefined;
  readonly client?: ((wire: WireParts) => Client) | undefined;
  readonly clock?: Clock | undefined;
  /** Of a replay, at its end. */
  readonly unheard?: () => number;
}

export interface RecordingWish {
  readonly source: HarvestSource;
  readonly target: TrialTarget;
  readonly behind: Behind | undefined;
  readonly tape: TapeWriter;
  readonly seed: number;
}

export async function recordedTake(wish: RecordingWish): Promise<Take> {
  const { source, target, behind, tape, seed } = wish;
  const key = nameOf(source);
  const clock = recordingClock(seed, key);
  const at = aimed(source, target);
  await tape.write({
    kind: "source",
    source: key,
    endpoint: stripUrl(at.spec.baseUrl),
    target: target.kind,
    startedAt: clock.startedAt.toISOString(),
  });
  return {
    aimed: at,
    behind: behind === undefined ? undefined : recordedBehind(behind, key, tape),
    clock,
    client: ({ client, secretHeaders }) =>
      recordingClient(client, { source: key, tape, elapsed: () => clock.elapsed(), secretHeaders }),
  };
}

/** Throws Fault `interrupted` when the recording does not hold the source. */
export function playedTake(source: HarvestSource, tape: Tape): Take {
  const key = nameOf(source);
  const taped = tape.sources.get(key);
  if (taped === undefined) throw notRecorded(key, tape);
  const clock = playingClock(taped.startedAt, tape.head.seed, key);
  const player: Player = playingClient(taped, (milliseconds) => {
    clock.reach(milliseconds);
  });
  const target: TrialTarget =
    taped.target === "live" ? { kind: "live" } : { kind: "sandbox", url: taped.endpoint };
  return {
    aimed: aimed(source, target),
    behind: taped.known.length + taped.cursors.length === 0 ? undefined : playedBehind(taped),
    clock,
    client: ({ client }) => {
      void client.close();
      return player;
    },
    unheard: () => player.unheard(),
  };
}

function notRecorded(key: string, { sources }: Tape): Fault {
  const names = [...sources.keys()].sort().slice(0, 5).join(", ");
  return new Fault("interrupted", {
    code: "NotOnTape",
    sentence: `The recording has no source ${key}; it holds ${names === "" ? "none" : names}${sources.size > 5 ? ", …" : ""}.`,
    remedy: "Name the manifests it was recorded with, or record anew.",
  });
}

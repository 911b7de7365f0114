/** What a store beside a run says, written onto a recording, and read back from it. */
import type { TapeCursor, TapeState } from "../../harvester/fetch/exchange-tape.js";
import type { TapedSource } from "../../harvester/fetch/exchange-tape-reader.js";
import type { TapeWriter } from "../../harvester/fetch/exchange-tape-writer.js";
import type { Behind } from "../../harvester/persist/memory-store.js";
import type { StoredState } from "../../harvester/record.js";

export function recordedBehind(behind: Behind, source: string, tape: TapeWriter): Behind {
  return {
    async loadCursor(key) {
      const { watermark, sweptAt } = await behind.loadCursor(key);
      const cursor = { ...(watermark && { watermark }), ...(sweptAt && { sweptAt }) };
      await tape.write({ kind: "cursor", source, key: { set: key.set, prefix: key.prefix }, cursor });
      // A list that was under way is not taken up again by a dry run.
      return cursor;
    },
    async loadStates(identifiers) {
      const states = await behind.loadStates(identifiers);
      const known = Object.fromEntries([...states].map(([id, state]) => [id, taped(state)]));
      if (states.size > 0) await tape.write({ kind: "known", source, states: known });
      return states;
    },
    loadEndpoint: (endpoint) => behind.loadEndpoint(endpoint),
  };
}

export function playedBehind({ known, cursors }: TapedSource): Behind {
  const states = new Map(known.flatMap((line) => Object.entries(line.states)));
  return {
    loadCursor: ({ set, prefix }) => Promise.resolve(cursorOf(cursors, set, prefix)),
    loadStates: (identifiers) =>
      Promise.resolve(
        new Map(
          identifiers.flatMap((id): [string, StoredState][] => {
            const state = states.get(id);
            return state === undefined ? [] : [[id, untaped(state)]];
          }),
        ),
      ),
    loadEndpoint: () => Promise.resolve({ consecutiveFailures: 0 }),
  };
}

function cursorOf(cursors: readonly TapeCursor[], set: string, prefix: string): TapeCursor["cursor"] {
  return cursors.find(({ key }) => key.set === set && key.prefix === prefix)?.cursor ?? {};
}

function taped({ checksum, rawChecksum, quarantined, ...rest }: StoredState): TapeState {
  return {
    ...rest,
    ...(checksum === undefined ? {} : { checksum: hex(checksum) }),
    ...(rawChecksum === undefined ? {} : { rawChecksum: hex(rawChecksum) }),
    ...(quarantined === undefined
      ? {}
      : { quarantined: { ...quarantined, rawChecksum: hex(quarantined.rawChecksum) } }),
  };
}

function untaped({ checksum, rawChecksum, quarantined, ...rest }: TapeState): StoredState {
  return {
    ...rest,
    ...(checksum === undefined ? {} : { checksum: bytes(checksum) }),
    ...(rawChecksum === undefined ? {} : { rawChecksum: bytes(rawChecksum) }),
    ...(quarantined === undefined
      ? {}
      : { quarantined: { ...quarantined, rawChecksum: bytes(quarantined.rawChecksum) } }),
  };
}

function hex(digest: Uint8Array): string {
  return Buffer.from(digest).toString("hex");
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "hex");
}

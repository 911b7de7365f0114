import type { Path } from "../../yaml/node-place.js";
import type { Consequence } from "../consequence.js";
import { count, duration } from "../figures.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";
import { readingCost } from "./reading-cost.js";

/** How much a run asks for. */
export const windows: ConsequenceRule = eachChanged((compared) => [
  ...mode(compared),
  ...overlap(compared),
  ...portions(compared),
  ...tokens(compared),
  ...tokenPrefix(compared),
]);

function mode(compared: Compared): readonly Consequence[] {
  const { before, after, store, change } = compared;
  const [old, now] = [before.delta.mode, after.delta.mode];
  if (old === now) return [];
  const at = ["spec", "delta", "mode"];
  if (now === "full")
    return [
      tell(compared, at, {
        id: "delta-mode-changed",
        severity: "warning",
        sentence: `${change.key} reads everything in each run (delta.mode: ${old} → full): ${readingCost(store)}.`,
        remedy: "Only for a source whose datestamps cannot be trusted, and rarely.",
      }),
    ];
  const what =
    now === "snapshot"
      ? "lists all headers in each run and fetches what changed"
      : "asks for what changed since its watermark";
  return [
    tell(compared, at, {
      id: "delta-mode-changed",
      sentence: `${change.key} ${what} (delta.mode: ${old} → ${now}).`,
    }),
  ];
}

function overlap(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const [old, now] = [before.delta.overlapSeconds, after.delta.overlapSeconds];
  if (now === old) return [];
  const at = ["spec", "delta", "overlapSeconds"];
  if (now > old)
    return [
      tell(compared, at, {
        id: "overlap-raised",
        sentence: `${change.key} asks again for ${count(now)} s before its watermark instead of ${count(old)} s.`,
      }),
    ];
  return [lessOverlap(compared, at)];
}

function lessOverlap(compared: Compared, at: Path): Consequence {
  const { before, after, store, change } = compared;
  const [old, now] = [before.delta.overlapSeconds, after.delta.overlapSeconds];
  const skew = store?.skewSeconds;
  if (skew !== undefined && skew > now)
    return tell(compared, at, {
      id: "overlap-below-skew",
      sentence: `${change.key} asks again for ${count(now)} s before its watermark (until now ${count(old)} s), but its clock was seen ${count(skew)} s off: records in between can be missed for ever.`,
      remedy: `Use at least ${count(Math.ceil(skew / 60) * 60 + 60)}.`,
    });
  const unknown = skew === undefined ? " How far its clock is off is not known." : "";
  return tell(compared, at, {
    id: "overlap-lowered",
    ...(now === 0 ? { severity: "warning" } : {}),
    sentence: `${change.key} asks again for ${count(now)} s before its watermark instead of ${count(old)} s.${unknown}`,
  });
}

function portions(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const [old, now] = [before.delta.maxWindowDays, after.delta.maxWindowDays];
  if (old === now) return [];
  const what =
    now === undefined
      ? "a catch-up is one list, which is lost when it breaks off"
      : `a catch-up is read in portions of ${now === 1 ? "a day" : `${count(now)} days`}`;
  return [
    tell(compared, ["spec", "delta", "maxWindowDays"], {
      id: "window-changed",
      sentence: `${change.key}: ${what} (delta.maxWindowDays: ${days(old)} → ${days(now)}).`,
    }),
  ];
}

function days(value: number | undefined): string {
  return value === undefined ? "none" : count(value);
}

function tokens(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const [old, now] = [before.token.cacheTtlSeconds, after.token.cacheTtlSeconds];
  if (old === now) return [];
  return [
    tell(compared, ["spec", "token", "cacheTtlSeconds"], {
      id: "token-lifetime-changed",
      sentence: `${change.key}: after a crash a list is taken up again if its token is younger than ${duration(now)} (until now ${duration(old)}).`,
    }),
  ];
}

function tokenPrefix(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  if (before.token.alsoSendPrefix === after.token.alsoSendPrefix) return [];
  return [
    tell(compared, ["spec", "token", "alsoSendPrefix"], {
      id: "token-request-changed",
      sentence: after.token.alsoSendPrefix
        ? `${change.key} sends its prefix beside each resumption token, against OAI-PMH: a server that keeps to it refuses the list after its first page.`
        : `${change.key} no longer sends its prefix beside each resumption token: a server that insists on it refuses the list after its first page.`,
    }),
  ];
}

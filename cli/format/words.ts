/** Numbers and times as people read them: one spelling for every command. */
export { bytes, count, plural } from "../../source/figures.js";

/** 31 s, 4 min, 2 h, 3 d 4 h: two units at most. */
export function duration(seconds: number): string {
  const s = Math.max(0, seconds);
  if (s < 10) return `${(Math.round(s * 10) / 10).toString()} s`;
  if (s < 90) return `${Math.round(s).toString()} s`;
  if (s < 90 * 60) return `${Math.round(s / 60).toString()} min`;
  if (s < 48 * 3600) return `${Math.round(s / 3600).toString()} h`;
  const days = Math.floor(s / 86_400);
  const hours = Math.round((s - days * 86_400) / 3600);
  return hours === 0 ? `${days.toString()} d` : `${days.toString()} d ${hours.toString()} h`;
}

/** "2026-11-29 18:00:04Z": the T is for machines. */
export function time(instant: string | undefined): string {
  return instant === undefined ? "never" : instant.replace("T", " ");
}

/** How long ago, in words; the future is "in 4 h". */
export function ago(instant: string | undefined, now: Date): string {
  if (instant === undefined) return "never";
  const seconds = (now.getTime() - Date.parse(instant)) / 1000;
  if (Math.abs(seconds) < 2) return "just now";
  return seconds >= 0 ? `${duration(seconds)} ago` : `in ${duration(-seconds)}`;
}

/** Text of a source as one safe line: no control characters (a terminal would obey them), cut with an ellipsis. */
export function oneLine(text: string, most = 200): string {
  const clean = Array.from(text, (c) => (isControl(c.codePointAt(0) ?? 0) ? " " : c))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  const points = Array.from(clean);
  return points.length <= most ? clean : `${points.slice(0, most - 1).join("")}…`;
}

function isControl(point: number): boolean {
  return (
    point < 0x20 ||
    (point >= 0x7f && point < 0xa0) ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2066 && point <= 0x2069)
  );
}

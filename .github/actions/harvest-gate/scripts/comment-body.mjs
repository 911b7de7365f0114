/** The text of a comment from the text of a report. */
import { marker } from "./sticky-comment.mjs";

/** GitHub takes 65,536 characters; GitLab a million. */
const mostCharacters = 65_000;

/**
 * @param {string} report Markdown of the gate; must hold the marker
 * @param {{ runUrl: string, fork?: string }} facts `fork`: owner/name, where the report was made by a stranger's code
 * @returns {string} begins with the marker, which stands nowhere else. Throws when the report is none of ours.
 */
export function commentBody(report, { runUrl, fork }) {
  if (!report.includes(marker)) throw new Error("The report lacks its marker: it was not made by the gate.");
  const text = plainText(report.replaceAll(marker, "")).trim();
  const body = fork === undefined ? text : `${forkNote(fork, runUrl)}\n\n${disarmed(text)}`;
  const whole = `${marker}\n${body}\n`;
  return whole.length <= mostCharacters ? whole : `${marker}\n${tooLong(runUrl, fork)}\n`;
}

function forkNote(fork, runUrl) {
  return `> [!WARNING]\n> This report was made by a run of the code of the fork \`${fork}\`, and that code can write here what it likes. Read the changes themselves before you rely on it. [Run](${runUrl})`;
}

function tooLong(runUrl, fork) {
  const from = fork === undefined ? "" : ` It comes from the fork \`${fork}\`.`;
  return `The report is too long for a comment.${from} It stands whole in the [summary of the run](${runUrl}).`;
}

/** Control characters but tab and line feed, and marks that turn the direction of text, have no business in a report. */
function plainText(text) {
  return Array.from(text.replaceAll("\r\n", "\n"))
    .filter((character) => isText(character.codePointAt(0)))
    .join("");
}

function isText(point) {
  if (point < 0x20) return point === 0x09 || point === 0x0a;
  const control = point >= 0x7f && point < 0xa0;
  const turning = (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  return !control && !turning;
}

/** A stranger's text names nobody (no mail is sent), shows no picture, closes no issue and hides no comment. */
function disarmed(text) {
  return (
    text
      // A forge looks for names and numbers in what is read, so the other ways to write these two signs count too.
      .replace(/&(?:#0*64|#x0*40|commat);/gi, "@\u200b")
      .replace(/&(?:#0*35|#x0*23|num);/gi, "#\u200b")
      .replace(/@(?=[A-Za-z0-9])/g, "@\u200b")
      .replace(/(?<!&)#(?=\d)/g, "#\u200b")
      .replace(/\bGH-(?=\d)/gi, "GH-\u200b")
      .replaceAll("![", "!\u200b[")
      .replace(/<(?=img|picture|source|video|audio|svg|a\s|!--)/gi, "&lt;")
  );
}

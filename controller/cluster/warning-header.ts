/** `Warning: 299 - "text"`: what the API server wants people to know about a request that succeeded. Pure. */

const MAX_WARNINGS = 20;
const MAX_TEXT = 1000;

/** Header as received, sent once or many times → the texts. Other codes than 299 and junk are left out. */
export function warningTexts(header: string | readonly string[] | undefined): readonly string[] {
  const joined = typeof header === "string" ? header : (header ?? []).join(", ");
  // agent, then a quoted string with \" and \\ in it (RFC 7234 §5.5).
  const pattern = /(?:^|,)\s*299\s+\S+\s+"((?:[^"\\]|\\.)*)"/g;
  const texts: string[] = [];
  for (const match of joined.slice(0, 64 * 1024).matchAll(pattern)) {
    texts.push((match[1] ?? "").replace(/\\(.)/g, "$1").slice(0, MAX_TEXT));
    if (texts.length === MAX_WARNINGS) break;
  }
  return texts;
}

/** Text functions of CEL where JavaScript's of the same name differ: the server's are Go's. */

/** lowerAscii: only A to Z change. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** upperAscii: only a to z change. */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** trim: what Unicode calls white space, at both ends (Go: strings.TrimSpace). */
export function trimSpace(text: string): string {
  const letters = [...text];
  const first = letters.findIndex((letter) => !isSpace(letter));
  if (first < 0) return "";
  const last = letters.findLastIndex((letter) => !isSpace(letter));
  return letters.slice(first, last + 1).join("");
}

function isSpace(letter: string): boolean {
  return /^\p{White_Space}$/u.test(letter);
}

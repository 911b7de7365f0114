/** The order of code units: the same on every machine, unlike the order of a language. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

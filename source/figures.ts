/** Numbers as people read them: one spelling for every sentence and every table. */

/** 12481 → "12,481". */
export function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** "1 record", "12,481 records". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** 98 MB: decimal units, as agencies and network bills count. */
export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = n;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(unit === 0 || value >= 10 ? 0 : 1)} ${units[unit] ?? "TB"}`;
}

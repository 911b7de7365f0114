import type { FieldRange } from "./cron-field.js";

export interface FieldStyle {
  readonly range: FieldRange;
  /** TUE instead of 2, where the field has names. */
  readonly named: boolean;
}

/** Fewer values than this are told one by one. */
const WORTH_A_RANGE = 3;

/** Values of one field as a person would write them: `*`, `1-5`, `2-57/5`, `8,20`; `parseField` reads the same values back. */
export function writeField(values: ReadonlySet<number>, { range, named }: FieldStyle): string {
  const sorted = [...values].sort((a, b) => a - b);
  const [first, second] = sorted;
  if (sorted.length === range.max - range.min + 1 || first === undefined) return "*";
  function word(value: number): string {
    return named ? name(range, value) : String(value);
  }
  const step = (second ?? first) - first;
  const even = sorted.every((value, i) => value === first + i * step);
  if (even && step > 1 && sorted.length >= WORTH_A_RANGE)
    return `${word(first)}-${word(first + (sorted.length - 1) * step)}/${String(step)}`;
  return runs(sorted)
    .flatMap((run) => (run.length >= WORTH_A_RANGE ? [ends(run).map(word).join("-")] : run.map(word)))
    .join(",");
}

function name(range: FieldRange, value: number): string {
  return (range.names[value - range.min] ?? String(value)).toUpperCase();
}

/** 1, 2, 3, 7 → [1, 2, 3], [7]. */
function runs(sorted: readonly number[]): readonly (readonly number[])[] {
  const found: number[][] = [];
  for (const value of sorted) {
    const last = found.at(-1);
    if (last?.at(-1) === value - 1) last.push(value);
    else found.push([value]);
  }
  return found;
}

function ends(run: readonly number[]): readonly number[] {
  return [run[0], run.at(-1)].filter((value) => value !== undefined);
}

/** Powers of ten and of two a quantity may end with (Kubernetes API conventions, "Quantity"). */
const TENS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const TWOS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** No real quantity is longer, nor has a larger exponent. */
const MAX_LENGTH = 64;
const MAX_EXPONENT = 40;

/** True for "1" and "1000m", "1024Mi" and "1Gi", 2 and "2": the API server writes quantities in a form of its own. */
export function sameQuantity(a: unknown, b: unknown): boolean {
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) return false;
  return left.above * right.below === right.above * left.below;
}

/** Exact: above / below. */
interface Ratio {
  readonly above: bigint;
  readonly below: bigint;
}

function parse(value: unknown): Ratio | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text.length > MAX_LENGTH) return undefined;
  const match = /^([+-]?)([0-9]+)(?:\.([0-9]*))?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$/.exec(text);
  return match === null ? undefined : ratio(match.map((part) => part ?? ""));
}

function ratio(match: readonly string[]): Ratio | undefined {
  const [, sign, whole = "", part = "", suffix = ""] = match;
  const digits = BigInt(`${whole}${part}`) * (sign === "-" ? -1n : 1n);
  const tens = exponent(suffix) - part.length;
  if (Math.abs(tens) > MAX_EXPONENT + MAX_LENGTH) return undefined;
  const power = 10n ** BigInt(Math.abs(tens));
  const above = digits * 2n ** BigInt(TWOS[suffix] ?? 0);
  return tens < 0 ? { above, below: power } : { above: above * power, below: 1n };
}

function exponent(suffix: string): number {
  const known = TENS[suffix];
  if (known !== undefined) return known;
  return suffix in TWOS ? 0 : Number(suffix.slice(1));
}

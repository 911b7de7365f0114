/**
 * How many of all records have a property, judged by a simple random sample without replacement: the exact interval from
 * the hypergeometric distribution (both tails, Clopper and Pearson's way), so that it holds for small counts too.
 */

export interface Sample {
  /** All records. */
  readonly population: number;
  /** Those that were looked at. */
  readonly size: number;
  /** Those of them that have the property. */
  readonly found: number;
}

/** Numbers of records in the population; both included. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Chance that the interval misses, both sides together. */
const MISS = 0.05;

/** The 95 % interval; without a remainder to guess at, the count itself. */
export function confidenceInterval({ population, size, found }: Sample): Interval {
  if (size >= population) return { low: found, high: found };
  const unseen = population - size;
  const most = found + unseen;
  // Fewer than `low`: so many would hardly ever be found. More than `high`: so few would hardly ever be.
  const low = firstWhere(found, most, (total) => atLeast({ population, size, found }, total) > MISS / 2);
  const high =
    firstWhere(found, most + 1, (total) => atMost({ population, size, found }, total) <= MISS / 2) - 1;
  return { low, high: Math.max(low, Math.min(high, most)) };
}

/** The first number from `from` on for which it is so; `end` when there is none. It must stay so once it is. */
function firstWhere(from: number, end: number, isSo: (total: number) => boolean): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Chance to find as many or fewer when `total` of the population have it. */
function atMost({ population, size, found }: Sample, total: number): number {
  let term = Math.exp(logChance({ population, size, found }, total));
  let sum = term;
  for (let k = found; k > 0 && k > size - (population - total); k -= 1) {
    term *= (k * (population - total - size + k)) / ((total - k + 1) * (size - k + 1));
    sum += term;
    if (term < sum * 1e-17 && k < (size * total) / population) break;
  }
  return sum;
}

function atLeast({ population, size, found }: Sample, total: number): number {
  let term = Math.exp(logChance({ population, size, found }, total));
  let sum = term;
  for (let k = found; k < size && k < total; k += 1) {
    term *= ((total - k) * (size - k)) / ((k + 1) * (population - total - size + k + 1));
    sum += term;
    if (term < sum * 1e-17 && k > (size * total) / population) break;
  }
  return sum;
}

/** Logarithm of the chance to find exactly `found`. */
function logChance({ population, size, found }: Sample, total: number): number {
  return logChoose(total, found) + logChoose(population - total, size - found) - logChoose(population, size);
}

function logChoose(of: number, take: number): number {
  return take < 0 || take > of ? -Infinity : logFactorial(of) - logFactorial(take) - logFactorial(of - take);
}

/** Stirling's series above 20, where its error is below the last digit; sums below. */
function logFactorial(n: number): number {
  if (n < 20) {
    let sum = 0;
    for (let i = 2; i <= n; i += 1) sum += Math.log(i);
    return sum;
  }
  const x = n + 1;
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}

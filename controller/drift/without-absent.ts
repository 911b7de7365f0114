/** A copy without the fields that are undefined, so that an object equals itself after a round trip through JSON. */
export function withoutAbsent<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, child]) => child !== undefined)) as T;
}

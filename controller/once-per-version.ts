/**
 * Remembers one answer a source, for as long as everything it was made from is the same: a status write makes another
 * object, but says nothing new of the spec. The answer is equal to one made anew; only the time it costs differs.
 */
export interface Version {
  /** Of the source; absent = nothing is remembered. */
  readonly uid: string | undefined;
  /** What the answer is made from, compared with Object.is. */
  readonly of: readonly unknown[];
}

export function oncePerVersion<T>(most = 20_000): (version: Version, make: () => T) => T {
  const known = new Map<string, { readonly of: Version["of"]; readonly answer: T }>();
  return ({ uid, of }, make) => {
    const before = uid === undefined ? undefined : known.get(uid);
    if (before !== undefined && same(before.of, of)) return before.answer;
    const answer = make();
    if (uid === undefined) return answer;
    known.delete(uid);
    known.set(uid, { of, answer });
    const oldest = known.size > most ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return answer;
  };
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, i) => Object.is(each, b[i]));
}

/** A value without the fields that are undefined: absent means absent, also to whoever lists the fields. */
export function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

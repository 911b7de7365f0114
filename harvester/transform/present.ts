/** The same fields without those that are absent: absent means no key, so equal records are equal JSON. */
export function present<T extends object>(fields: T): T {
  const result: Partial<T> = {};
  for (const key of Object.keys(fields) as (keyof T)[]) {
    if (fields[key] !== undefined) result[key] = fields[key];
  }
  return result as T;
}

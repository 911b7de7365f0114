import type { FieldChange } from "../../../source/review/source-change.js";

/** "`spec.concurrency.maxRequests`: `1` (default) → `20`"; `quote` makes a value safe for the format. */
export function fieldLine(change: FieldChange, quote: (text: string) => string): string {
  const before = side(change.before, { isDefault: change.beforeIsDefault, quote });
  const after = side(change.after, { isDefault: change.afterIsDefault, quote });
  return `${quote(change.field)}: ${before} → ${after}`;
}

interface Side {
  readonly isDefault: boolean;
  readonly quote: (text: string) => string;
}

function side(value: unknown, { isDefault, quote }: Side): string {
  if (value === undefined) return "absent";
  return `${quote(JSON.stringify(value))}${isDefault ? " (default)" : ""}`;
}

/** $1 number of the entry, $2 resolution. No row: it was resolved already. */
export const resolveQuarantine = `
UPDATE quarantine SET resolved_at = now(), resolution = $2 WHERE id = $1::bigint AND resolved_at IS NULL RETURNING id`;

/** $1 source, $2 set or null for all. */
export const countAlive = `
SELECT count(*)::int AS alive FROM record
WHERE source_id = $1 AND NOT deleted AND ($2::text IS NULL OR $2::text = ANY (sets))`;

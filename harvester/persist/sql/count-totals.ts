/** What the catalogue holds of a source, from two partial indexes. $1 source. */
export const countTotals = `
SELECT (SELECT count(*) FROM record WHERE source_id = $1 AND NOT deleted)::int AS records,
  (SELECT count(*) FROM quarantine WHERE source_id = $1 AND resolved_at IS NULL)::int AS quarantined`;

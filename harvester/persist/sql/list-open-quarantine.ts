/** The next open quarantine entries of a source, by identifier. $1 source, $2 the identifier before, $3 how many. */
export const listOpenQuarantine = `
SELECT identifier FROM quarantine WHERE source_id = $1 AND resolved_at IS NULL AND identifier > $2
ORDER BY identifier LIMIT $3::int`;

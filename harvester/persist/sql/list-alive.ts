/** The next living records of a source, by identifier. $1 source, $2 the identifier before, $3 how many. */
export const listAlive = `
SELECT identifier FROM record WHERE source_id = $1 AND NOT deleted AND identifier > $2
ORDER BY identifier LIMIT $3::int`;

/** Living records with their bytes, by identifier. $1 source's name, $2 only after this identifier, $3 limit. */
export const pageRecords = `
SELECT r.identifier, r.packed,
  (SELECT count(*) FROM jsonb_array_elements(r.remarks) e WHERE e->>'gate' = 'schematron')::int AS "ruleRemarks"
FROM record r
WHERE r.source_id = (SELECT id FROM source WHERE name = $1) AND NOT r.deleted AND r.identifier > $2
ORDER BY r.identifier LIMIT $3::int`;

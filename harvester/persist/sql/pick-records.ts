/** As page-records.ts and page-refused.ts, for identifiers known already. $1 source's name, $2 identifiers. */
export const pickRecords = `
SELECT r.* FROM unnest($2::text[]) AS u (identifier)
CROSS JOIN LATERAL (
  SELECT identifier, packed,
    (SELECT count(*) FROM jsonb_array_elements(remarks) e WHERE e->>'gate' = 'schematron')::int AS "ruleRemarks"
  FROM record WHERE source_id = (SELECT id FROM source WHERE name = $1) AND identifier = u.identifier AND NOT deleted
  LIMIT 1) r`;

export const pickRefused = `
SELECT q.* FROM unnest($2::text[]) AS u (identifier)
CROSS JOIN LATERAL (
  SELECT identifier, packed, gate, rule, message, xpath, line
  FROM quarantine WHERE source_id = (SELECT id FROM source WHERE name = $1) AND identifier = u.identifier
    AND resolved_at IS NULL AND gate <> 'envelope'
  LIMIT 1) q`;

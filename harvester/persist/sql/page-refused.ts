/** Open quarantine entries that gates can judge, by identifier. $1 source's name, $2 only after this identifier, $3 limit. */
export const pageRefused = `
SELECT q.identifier, q.packed, q.gate, q.rule, q.message, q.xpath, q.line
FROM quarantine q
WHERE q.source_id = (SELECT id FROM source WHERE name = $1) AND q.resolved_at IS NULL AND q.gate <> 'envelope'
  AND q.identifier > $2
ORDER BY q.identifier LIMIT $3::int`;

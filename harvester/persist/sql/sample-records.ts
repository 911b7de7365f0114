/**
 * A simple random sample without replacement: the smallest digests of seed and name. The order of digests has nothing to
 * do with what a record says, and the same records give the same sample. $1 names, $2 seed, $3 size.
 */
export const sampleRecords = `
SELECT t.name, t.kind, t.identifier FROM (
  SELECT s.name, 'record' AS kind, r.identifier FROM record r JOIN source s ON s.id = r.source_id
  WHERE s.name = ANY ($1::text[]) AND NOT r.deleted
  UNION ALL
  SELECT s.name, 'refused', q.identifier FROM quarantine q JOIN source s ON s.id = q.source_id
  WHERE s.name = ANY ($1::text[]) AND q.resolved_at IS NULL AND q.gate <> 'envelope') t
ORDER BY md5($2::text || ' ' || t.kind || ' ' || t.name || ' ' || t.identifier), t.kind, t.name, t.identifier
LIMIT $3::int`;

/**
 * What is stored alive in a set ('' = anywhere) and was not staged; and open quarantine entries never stored alive that
 * were not staged either (case C52). $1 source, $2 run, $3 set, $4 most identifiers to name.
 */
export const compareSweep = `
WITH alive AS (
  SELECT identifier FROM record WHERE source_id = $1 AND NOT deleted AND ($3::text = '' OR $3::text = ANY (sets))),
missing AS (
  SELECT identifier FROM alive a WHERE NOT EXISTS (
    SELECT FROM sweep_stage s WHERE s.source_id = $1 AND s.run_id = $2 AND s.identifier = a.identifier))
SELECT (SELECT count(*) FROM alive)::int AS known, (SELECT count(*) FROM missing)::int AS missing_count,
  (SELECT count(*) FROM sweep_stage WHERE source_id = $1 AND run_id = $2)::int AS staged,
  ARRAY(SELECT identifier FROM missing ORDER BY identifier LIMIT $4::int) AS missing,
  ARRAY(SELECT q.identifier FROM quarantine q
    WHERE q.source_id = $1 AND q.resolved_at IS NULL AND ($3::text = '' OR q.set_spec = $3::text)
      AND NOT EXISTS (SELECT FROM record r WHERE r.source_id = $1 AND r.identifier = q.identifier AND NOT r.deleted)
      AND NOT EXISTS (SELECT FROM sweep_stage s WHERE s.source_id = $1 AND s.run_id = $2 AND s.identifier = q.identifier)
    ORDER BY q.identifier LIMIT $4::int) AS missing_quarantined`;

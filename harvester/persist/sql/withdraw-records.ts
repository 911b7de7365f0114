/**
 * Ends the membership of records in a set; a record whose last membership ends is withdrawn, body kept (case C50).
 * Withdrawn from the whole repository ('') ends them all; memberships in sets no longer asked for ($2) do not keep a
 * record alive. A stored record newer than the tombstone stays.
 * $1 source, $2 sets still asked for or null, $3 identifiers, $4 sets, $5 datestamps, $6 reasons.
 */
export const withdrawRecords = `
UPDATE record AS t SET
  sets           = w.remaining,
  datestamp      = greatest(t.datestamp, w.datestamp::timestamptz),
  deleted        = cardinality(w.remaining) = 0,
  deleted_reason = CASE WHEN cardinality(w.remaining) = 0 THEN w.reason END,
  changed_at     = CASE WHEN cardinality(w.remaining) = 0 THEN now() ELSE t.changed_at END
FROM (
  SELECT u.identifier, u.set_spec, u.datestamp, u.reason, ARRAY(
    SELECT s FROM unnest(r.sets) AS s
    WHERE u.set_spec <> '' AND s <> u.set_spec AND ($2::text[] IS NULL OR s = ANY ($2::text[]))) AS remaining
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS u (identifier, set_spec, datestamp, reason)
  CROSS JOIN LATERAL (SELECT sets FROM record WHERE source_id = $1 AND identifier = u.identifier LIMIT 1) r) w
WHERE t.source_id = $1 AND t.identifier = w.identifier AND NOT t.deleted
  AND (w.set_spec = '' OR w.set_spec = ANY (t.sets))
  AND (w.datestamp IS NULL OR t.datestamp IS NULL OR w.datestamp::timestamptz >= t.datestamp)
RETURNING t.identifier, t.deleted`;

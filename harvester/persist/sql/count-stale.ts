/**
 * Of deliveries that changed nothing, how many lost to something newer. Records have a checksum, tombstones have none.
 * $1 source, $2 identifiers, $3 checksums, $4 datestamps.
 */
export const countStale = `
SELECT count(*)::int AS stale
FROM unnest($2::text[], $3::bytea[], $4::text[]) AS u (identifier, checksum, datestamp)
CROSS JOIN LATERAL (
  SELECT checksum, deleted, datestamp FROM record WHERE source_id = $1 AND identifier = u.identifier LIMIT 1) r
WHERE CASE WHEN u.checksum IS NULL THEN NOT r.deleted AND r.datestamp > u.datestamp::timestamptz
  ELSE r.deleted OR r.checksum <> u.checksum END`;

/** $1 identifier, $2 source or null. */
export const getRecord = `
SELECT s.name AS source, r.identifier, r.canonical ->> 'title' AS title, r.datestamp, r.sets, r.changed_at AS "changedAt",
  r.first_seen AS "firstSeen", r.deleted, r.deleted_reason AS "deletedReason",
  r.canonical, r.remarks, r.about, r.sequence, r.checksum, r.packed
FROM source s CROSS JOIN LATERAL (SELECT * FROM record WHERE source_id = s.id AND identifier = $1 LIMIT 1) r
WHERE $2::text IS NULL OR s.name = $2::text
ORDER BY s.name`;

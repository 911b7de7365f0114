/** $1 source or null, $2 LIKE pattern or null, $3 with withdrawn ones, $4 limit, $5 offset. */
export const listRecords = `
SELECT s.name AS source, r.identifier, r.canonical ->> 'title' AS title, r.datestamp, r.sets, r.changed_at AS "changedAt",
  r.first_seen AS "firstSeen", r.deleted, r.deleted_reason AS "deletedReason"
FROM record r JOIN source s ON s.id = r.source_id
WHERE ($1::text IS NULL OR s.name = $1::text)
  AND ($2::text IS NULL OR r.canonical ->> 'title' ILIKE $2::text OR r.identifier ILIKE $2::text)
  AND ($3::boolean OR NOT r.deleted)
ORDER BY s.name, r.identifier LIMIT $4::int OFFSET $5::int`;

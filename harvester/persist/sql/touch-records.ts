/**
 * Notes that known content was seen: in this set, with this datestamp, in these bytes. Writes only what differs.
 * $1 source, $2 identifiers, $3 sets, $4 datestamps, $5 raw checksums.
 */
export const touchRecords = `
UPDATE record AS t SET
  sets         = CASE WHEN u.set_spec = ANY (t.sets) THEN t.sets ELSE t.sets || u.set_spec END,
  datestamp    = greatest(t.datestamp, u.datestamp::timestamptz),
  raw_checksum = coalesce(u.raw_checksum, t.raw_checksum)
FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) AS u (identifier, set_spec, datestamp, raw_checksum)
WHERE t.source_id = $1 AND t.identifier = u.identifier AND NOT t.deleted AND (
  NOT u.set_spec = ANY (t.sets)
  OR u.datestamp::timestamptz > t.datestamp
  OR (t.datestamp IS NULL AND u.datestamp IS NOT NULL)
  OR u.raw_checksum <> t.raw_checksum)`;

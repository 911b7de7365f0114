/**
 * Whole entries in the order of their numbers. $1 only after this number, $2 source, $3 rule, $4 run, $5 identifier
 * (each or null), $6 with resolved ones, $7 limit.
 */
export const readQuarantine = `
SELECT q.id, s.name AS source, q.identifier, q.set_spec AS set, q.gate, q.rule, q.message, q.xpath, q.line,
  q.run_id AS "runId", q.policy_digest AS "policyDigest", q.first_seen AS "firstSeen", q.last_seen AS "lastSeen",
  q.times_seen AS "timesSeen", q.resolved_at AS "resolvedAt", q.resolution,
  q.violations, q.header, q.cursor, q.raw_checksum AS "rawChecksum", q.packed,
  (SELECT r.changed_at FROM record r WHERE r.source_id = q.source_id AND r.identifier = q.identifier AND NOT r.deleted)
    AS "keptVersionOf"
FROM quarantine q JOIN source s ON s.id = q.source_id
WHERE q.id > $1::bigint
  AND ($2::text IS NULL OR s.name = $2::text)
  AND ($3::text IS NULL OR q.rule = $3::text)
  AND ($4::text IS NULL OR q.run_id = $4::text)
  AND ($5::text IS NULL OR q.identifier = $5::text)
  AND ($6::boolean OR q.resolved_at IS NULL)
ORDER BY q.id LIMIT $7::int`;

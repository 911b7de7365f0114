/** Without bodies, the newest first. $1 source, $2 rule, $3 run (each or null), $4 with resolved ones, $5 limit, $6 offset. */
export const listQuarantine = `
SELECT q.id, s.name AS source, q.identifier, q.set_spec AS set, q.gate, q.rule, q.message, q.xpath, q.line,
  q.run_id AS "runId", q.policy_digest AS "policyDigest", q.first_seen AS "firstSeen", q.last_seen AS "lastSeen",
  q.times_seen AS "timesSeen", q.resolved_at AS "resolvedAt", q.resolution
FROM quarantine q JOIN source s ON s.id = q.source_id
WHERE ($1::text IS NULL OR s.name = $1::text)
  AND ($2::text IS NULL OR q.rule = $2::text)
  AND ($3::text IS NULL OR q.run_id = $3::text)
  AND ($4::boolean OR q.resolved_at IS NULL)
ORDER BY q.last_seen DESC, q.id DESC LIMIT $5::int OFFSET $6::int`;

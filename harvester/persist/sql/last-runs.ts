/** $1 source or null, $2 limit. */
export const lastRuns = `
SELECT r.run_id AS "runId", s.name AS source, r.status, r.started_at AS "startedAt", r.ended_at AS "endedAt",
  r.exit_code AS "exitCode", r.code, r.message, r.counts, r.summary, r.policy_digest AS "policyDigest", r.holder
FROM run r JOIN source s ON s.id = r.source_id
WHERE $1::text IS NULL OR s.name = $1::text
ORDER BY r.started_at DESC, r.run_id DESC LIMIT $2::int`;

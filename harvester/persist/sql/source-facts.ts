/**
 * What a review wants to know of every source. Runs that asked nothing of the agency and yet ended well are replays of
 * the quarantine, not harvests: left out. A full read is looked for among the newest 500 runs and the first 20, so that
 * years of hourly runs cost no more than a month of them. $1 most sources.
 */
export const sourceFacts = `
SELECT s.name, coalesce(r.alive, 0)::int AS records, coalesce(q.open, 0)::int AS quarantined,
  last.row AS "lastRun", whole.row AS "lastFullRun", ten.longest AS "longestSeconds", ten.skew AS "skewSeconds"
FROM (SELECT id, name FROM source ORDER BY name LIMIT $1::int) s
LEFT JOIN (SELECT source_id, count(*) AS alive FROM record WHERE NOT deleted GROUP BY source_id) r ON r.source_id = s.id
LEFT JOIN (SELECT source_id, count(*) AS open FROM quarantine WHERE resolved_at IS NULL GROUP BY source_id) q
  ON q.source_id = s.id
LEFT JOIN LATERAL (
  SELECT ${runFacts()} AS row FROM run u WHERE u.source_id = s.id AND ${isHarvest()}
  ORDER BY u.started_at DESC, u.run_id DESC LIMIT 1) last ON true
LEFT JOIN LATERAL (
  SELECT ${runFacts()} AS row FROM (
    (SELECT run_id, status, counts, started_at, ended_at FROM run WHERE source_id = s.id ORDER BY started_at DESC LIMIT 500)
    UNION ALL
    (SELECT run_id, status, counts, started_at, ended_at FROM run WHERE source_id = s.id ORDER BY started_at LIMIT 20)) u
  WHERE u.status = 'complete' AND ${isHarvest()} AND ${figure("read")} > 0
    AND ${figure("read")} >= 0.9 * coalesce(r.alive, 0)
  ORDER BY u.started_at DESC, u.run_id DESC LIMIT 1) whole ON true
LEFT JOIN LATERAL (
  SELECT max(${seconds()}) FILTER (WHERE u.code IS DISTINCT FROM 'vanished') AS longest,
    max(abs(${skew()})) AS skew
  FROM (SELECT * FROM run u WHERE u.source_id = s.id AND ${isHarvest()}
    ORDER BY u.started_at DESC, u.run_id DESC LIMIT 10) u) ten ON true
ORDER BY s.name`;

function isHarvest(): string {
  return `u.status <> 'running' AND NOT (u.status = 'complete' AND ${figure("requests")} = 0)`;
}

/** A run that vanished has no counts. */
function figure(name: string): string {
  return `coalesce((u.counts->>'${name}')::float8, 0)`;
}

function seconds(): string {
  return "extract(epoch FROM u.ended_at - u.started_at)::float8";
}

/** Rows of older versions have none. */
function skew(): string {
  return "CASE WHEN jsonb_typeof(u.summary->'skewSeconds') = 'number' THEN (u.summary->>'skewSeconds')::float8 END";
}

function runFacts(): string {
  return `jsonb_build_object('outcome', u.status,
    'endedAt', to_char(u.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'seconds', ${seconds()},
    'read', ${figure("read")}, 'requests', ${figure("requests")}, 'bytes', ${figure("bytes")})`;
}

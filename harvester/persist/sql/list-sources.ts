/** How each source stands. $1 name or null. */
export const listSources = `
SELECT s.name, s.endpoint, s.prefix,
  success.ended_at AS "lastSuccess", c.watermark,
  round(extract(epoch FROM now() - c.watermark))::float8 AS "lagSeconds",
  coalesce(r.alive, 0)::int AS alive, coalesce(r.withdrawn, 0)::int AS withdrawn, coalesce(q.open, 0)::int AS quarantined,
  (SELECT count(*) FROM run f WHERE f.source_id = s.id AND f.status NOT IN ('running', 'complete')
    AND f.started_at > coalesce(success.started_at, '-infinity'))::int AS "failuresInRow",
  last.row AS "lastRun",
  e.blocked_until AS "blockedUntil", e.blocked_because AS "blockedBecause", l.holder
FROM source s
LEFT JOIN LATERAL (SELECT min(watermark) AS watermark FROM cursor
  WHERE source_id = s.id AND endpoint = s.endpoint AND prefix = s.prefix) c ON true
LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE NOT deleted) AS alive, count(*) FILTER (WHERE deleted) AS withdrawn
  FROM record WHERE source_id = s.id) r ON true
LEFT JOIN LATERAL (SELECT count(*) AS open FROM quarantine WHERE source_id = s.id AND resolved_at IS NULL) q ON true
LEFT JOIN LATERAL (SELECT started_at, ended_at FROM run WHERE source_id = s.id AND status = 'complete'
  ORDER BY started_at DESC LIMIT 1) success ON true
LEFT JOIN LATERAL (SELECT jsonb_build_object('runId', run_id, 'status', status,
    'startedAt', to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'endedAt', to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'message', message, 'code', code) AS row
  FROM run WHERE source_id = s.id ORDER BY started_at DESC, run_id DESC LIMIT 1) last ON true
LEFT JOIN endpoint_state e ON e.endpoint = s.endpoint AND e.blocked_until > now()
LEFT JOIN source_lease l ON l.source_id = s.id AND l.expires_at > now()
WHERE $1::text IS NULL OR s.name = $1::text
ORDER BY s.name`;

/**
 * Remembers an endpoint. A quiet still asked for is never shortened by another run that did not hear of it (law 6).
 * $1 endpoint, $2 blocked until, $3 because, $4 failures, $5 opened at.
 */
export const saveEndpoint = `
INSERT INTO endpoint_state AS e (endpoint, blocked_until, blocked_because, consecutive_failures, opened_at)
VALUES ($1, $2::text::timestamptz, $3, $4::int, $5::text::timestamptz)
ON CONFLICT (endpoint) DO UPDATE SET
  blocked_until = CASE WHEN e.blocked_until > clock_timestamp()
    THEN greatest(e.blocked_until, EXCLUDED.blocked_until) ELSE EXCLUDED.blocked_until END,
  blocked_because = CASE WHEN e.blocked_until > clock_timestamp()
    AND (EXCLUDED.blocked_until IS NULL OR EXCLUDED.blocked_until < e.blocked_until)
    THEN e.blocked_because ELSE EXCLUDED.blocked_because END,
  consecutive_failures = EXCLUDED.consecutive_failures,
  opened_at = EXCLUDED.opened_at,
  updated_at = now()`;

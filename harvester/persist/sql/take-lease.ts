/**
 * Takes the lease of a source: a new one, an expired one, or the one with exactly the token of a holder known to have
 * ended. No row: somebody holds it. $1 source, $2 holder, $3 run, $4 seconds, $5 token of the dead holder or null.
 */
export const takeLease = `
INSERT INTO source_lease AS l (source_id, holder, run_id, token, expires_at)
VALUES ($1, $2, $3, 1, clock_timestamp() + $4::float8 * interval '1 s')
ON CONFLICT (source_id) DO UPDATE SET
  holder = EXCLUDED.holder, run_id = EXCLUDED.run_id, token = l.token + 1,
  expires_at = clock_timestamp() + $4::float8 * interval '1 s'
WHERE l.expires_at <= clock_timestamp() OR l.token = $5::bigint
RETURNING token`;

/** $1 run, $2 source, $3 endpoint, $4 prefix, $5 policy digest, $6 holder, $7 manifest, $8 start. */
export const beginRun = `
INSERT INTO run (run_id, source_id, endpoint, prefix, policy_digest, holder, manifest, started_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8::text::timestamptz)`;

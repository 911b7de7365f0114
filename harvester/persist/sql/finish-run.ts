/** $1 run, $2 status, $3 exit code, $4 code, $5 message, $6 counts, $7 summary, $8 end. No row: it was reaped. */
export const finishRun = `
UPDATE run SET status = $2, exit_code = $3, code = $4, message = $5, counts = $6::text::jsonb,
  summary = $7::text::jsonb, ended_at = $8::text::timestamptz
WHERE run_id = $1 AND status = 'running'
RETURNING run_id`;

/** Earlier runs still marked running: whoever holds the lease knows they are dead (case C129). $1 source, $2 this run. */
export const reapRuns = `
UPDATE run SET status = 'failed', code = 'vanished', ended_at = greatest(started_at, now()),
  message = 'The run ended without saying how: its process was killed or its machine stopped. What it had committed is kept.'
WHERE source_id = $1 AND status = 'running' AND run_id <> $2
RETURNING run_id`;

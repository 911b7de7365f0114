/**
 * The cursor after a batch, last in its transaction. The watermark and the sweep's time only move forward; the
 * unfinished list is as given. $1 source, $2 endpoint, $3 set, $4 prefix, $5 watermark, $6 unfinished, $7 swept, $8 run.
 */
export const advanceCursor = `
INSERT INTO cursor AS c (source_id, endpoint, set_spec, prefix, watermark, unfinished, swept_at, run_id)
VALUES ($1, $2, $3, $4, $5::text::timestamptz, $6::text::jsonb, $7::text::timestamptz, $8)
ON CONFLICT (source_id, endpoint, set_spec, prefix) DO UPDATE SET
  watermark  = greatest(c.watermark, EXCLUDED.watermark),
  unfinished = EXCLUDED.unfinished,
  swept_at   = greatest(c.swept_at, EXCLUDED.swept_at),
  run_id     = EXCLUDED.run_id,
  updated_at = now()`;

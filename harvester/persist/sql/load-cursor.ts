/** $1 source, $2 endpoint, $3 set, $4 prefix. */
export const loadCursor = `
SELECT watermark, unfinished, swept_at FROM cursor
WHERE source_id = $1 AND endpoint = $2 AND set_spec = $3 AND prefix = $4`;

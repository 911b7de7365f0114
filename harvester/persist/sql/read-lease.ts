/** Who holds the source. $1 source. */
export const readLease = `
SELECT holder, run_id, token, expires_at FROM source_lease WHERE source_id = $1`;

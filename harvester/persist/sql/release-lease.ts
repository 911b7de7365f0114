/** Ends the lease; the row stays, so that tokens go on growing. $1 source, $2 token. */
export const releaseLease = `
UPDATE source_lease SET expires_at = '-infinity' WHERE source_id = $1 AND token = $2 RETURNING token`;

/**
 * Renews the lease if the token is still ours; no row: it is not. As the first statement of a commit it also locks the
 * row, so that nobody can take the source before that commit ends. $1 source, $2 token, $3 seconds.
 */
export const renewLease = `
UPDATE source_lease SET expires_at = clock_timestamp() + $3::float8 * interval '1 s'
WHERE source_id = $1 AND token = $2
RETURNING token`;

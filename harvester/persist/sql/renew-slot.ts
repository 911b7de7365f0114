/** $1 host, $2 slot, $3 token, $4 seconds. No row: the slot was given to somebody else. */
export const renewSlot = `
UPDATE host_slot SET expires_at = clock_timestamp() + $4::float8 * interval '1 s'
WHERE host = $1 AND slot = $2 AND token = $3 AND expires_at > clock_timestamp()
RETURNING slot`;

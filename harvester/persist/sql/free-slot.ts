/** $1 host, $2 slot, $3 token. */
export const freeSlot = `
UPDATE host_slot SET expires_at = '-infinity', holder = NULL WHERE host = $1 AND slot = $2 AND token = $3`;

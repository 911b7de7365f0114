/** Ends every lease: for the embedded store, which no other process can have open, so whoever held one is gone. */
export const expireLeases = `
UPDATE source_lease SET expires_at = '-infinity' WHERE expires_at > clock_timestamp()`;

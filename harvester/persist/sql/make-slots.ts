/** The rows of a host's ceiling. $1 host, $2 slots. */
export const makeSlots = `
INSERT INTO host_slot (host, slot) SELECT $1::text, n FROM generate_series(1, $2::int) AS n ON CONFLICT DO NOTHING`;

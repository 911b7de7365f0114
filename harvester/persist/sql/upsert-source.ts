/** The source's number, made at its first run. Written only when something changed. $1 name, $2 endpoint, $3 prefix. */
export const upsertSource = `
INSERT INTO source AS s (name, endpoint, prefix) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET endpoint = EXCLUDED.endpoint, prefix = EXCLUDED.prefix
RETURNING id`;

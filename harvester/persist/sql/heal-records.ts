/** Closes open quarantine entries of identifiers that came sound. $1 source, $2 identifiers. */
export const healRecords = `
UPDATE quarantine AS q SET resolved_at = now(), resolution = 'healed'
FROM unnest($2::text[]) AS u (identifier)
WHERE q.source_id = $1 AND q.identifier = u.identifier AND q.resolved_at IS NULL
RETURNING q.id`;

/** Closes open quarantine entries of identifiers that are gone and not alive in another set (case C52). $1 source, $2 identifiers. */
export const closeWithdrawn = `
UPDATE quarantine AS q SET resolved_at = now(), resolution = 'withdrawn'
FROM unnest($2::text[]) AS u (identifier)
WHERE q.source_id = $1 AND q.identifier = u.identifier AND q.resolved_at IS NULL
  AND NOT EXISTS (SELECT FROM record r WHERE r.source_id = $1 AND r.identifier = u.identifier AND NOT r.deleted)`;

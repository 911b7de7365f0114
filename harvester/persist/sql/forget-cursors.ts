/** Forgets how far a source was read, while this run holds it. $1 source, $2 run. */
export const forgetCursors = `
DELETE FROM cursor WHERE source_id = $1
  AND EXISTS (SELECT FROM source_lease l WHERE l.source_id = $1 AND l.run_id = $2 AND l.expires_at > clock_timestamp())`;

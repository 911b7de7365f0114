/** $1 source, $2 run, $3 identifiers. */
export const stageSweep = `
INSERT INTO sweep_stage (source_id, run_id, identifier)
SELECT $1::int, $2::text, u.identifier FROM unnest($3::text[]) AS u (identifier)
ON CONFLICT DO NOTHING`;

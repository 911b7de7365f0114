/**
 * Puts records into quarantine; an open entry of the same identifier is renewed with what was seen last.
 * $1 source, $2 run, $3 policy digest, $4 cursor, then one array a column.
 */
export const quarantineRecords = `
INSERT INTO quarantine AS q (source_id, run_id, policy_digest, cursor,
  identifier, set_spec, gate, rule, message, xpath, line, violations, packed, raw_checksum, header)
SELECT $1::int, $2, $3, $4::text::jsonb,
  u.identifier, u.set_spec, u.gate, u.rule, u.message, u.xpath, u.line::int, u.violations::jsonb, u.packed, u.raw_checksum, u.header::jsonb
FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::bytea[], $15::text[])
  AS u (identifier, set_spec, gate, rule, message, xpath, line, violations, packed, raw_checksum, header)
ON CONFLICT (source_id, identifier) WHERE resolved_at IS NULL DO UPDATE SET
  set_spec = EXCLUDED.set_spec, run_id = EXCLUDED.run_id, policy_digest = EXCLUDED.policy_digest, cursor = EXCLUDED.cursor,
  gate = EXCLUDED.gate, rule = EXCLUDED.rule, message = EXCLUDED.message, xpath = EXCLUDED.xpath, line = EXCLUDED.line,
  violations = EXCLUDED.violations, packed = EXCLUDED.packed, body_encoding = EXCLUDED.body_encoding,
  raw_checksum = EXCLUDED.raw_checksum, header = EXCLUDED.header, last_seen = now(), times_seen = q.times_seen + 1`;

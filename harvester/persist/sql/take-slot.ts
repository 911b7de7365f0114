/**
 * Takes one free slot of a host, the highest first: who may use only few slots finds the low ones free.
 * $1 host, $2 slots, $3 holder, $4 seconds.
 */
export const takeSlot = `
UPDATE host_slot AS s SET holder = $3, token = s.token + 1, expires_at = clock_timestamp() + $4::float8 * interval '1 s'
FROM (SELECT slot FROM host_slot WHERE host = $1 AND slot <= $2::int AND expires_at <= clock_timestamp()
  ORDER BY slot DESC LIMIT 1 FOR UPDATE SKIP LOCKED) AS free
WHERE s.host = $1 AND s.slot = free.slot
RETURNING s.slot, s.token`;

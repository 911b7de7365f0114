/** Reserves the next request of a host and says in how many milliseconds it may go. $1 host, $2 seconds between requests. */
export const reserveRequest = `
INSERT INTO host_rate AS r (host, tat) VALUES ($1, clock_timestamp() + $2::float8 * interval '1 s')
ON CONFLICT (host) DO UPDATE SET tat = greatest(r.tat, clock_timestamp()) + $2::float8 * interval '1 s'
RETURNING greatest(0, (extract(epoch FROM tat - clock_timestamp())::float8 - $2::float8) * 1000) AS wait_ms`;

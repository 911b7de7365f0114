/** $1 endpoint. */
export const loadEndpoint = `
SELECT blocked_until, blocked_because, consecutive_failures, opened_at FROM endpoint_state WHERE endpoint = $1`;

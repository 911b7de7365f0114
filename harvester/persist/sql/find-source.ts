/** $1 name. */
export const findSource = `SELECT id FROM source WHERE name = $1`;

/** Forgets what was staged, also by earlier runs of the source. $1 source. */
export const dropSweep = `DELETE FROM sweep_stage WHERE source_id = $1`;

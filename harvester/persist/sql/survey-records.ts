/**
 * What can be judged again of these sources, and under which policies it was judged. Damage to the envelope is no record
 * that gates could look at; a withdrawal judges nothing and has no policy. $1 names.
 */
export const surveyRecords = `
SELECT s.name, s.prefix,
  (SELECT count(*) FROM record r WHERE r.source_id = s.id AND NOT r.deleted)::int AS records,
  (SELECT count(*) FROM quarantine q
    WHERE q.source_id = s.id AND q.resolved_at IS NULL AND q.gate <> 'envelope')::int AS quarantined,
  ARRAY(SELECT DISTINCT u.policy_digest FROM run u WHERE u.source_id = s.id AND u.policy_digest <> '' LIMIT 2) AS policies
FROM source s WHERE s.name = ANY ($1::text[])`;

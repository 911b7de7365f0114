import type { ElectionSettings } from "../settings.js";

/** How much longer than retrySeconds a candidate may wait, by chance: many candidates do not ask in step (client-go's 1.2). */
export const JITTER = 1.2;

/** What is wrong with the times, for people; undefined = nothing. Out of order they would let two lead at once. */
export function electionSettingsProblem(settings: ElectionSettings): string | undefined {
  const { leaseSeconds, renewSeconds, retrySeconds } = settings;
  const told = `lease ${String(leaseSeconds)} s, renew ${String(renewSeconds)} s, retry ${String(retrySeconds)} s`;
  if (!(Number.isInteger(leaseSeconds) && leaseSeconds >= 1))
    return `Leader election (${told}): the lease is whole seconds, at least 1.`;
  if (!(retrySeconds > 0)) return `Leader election (${told}): the retry must be above 0.`;
  if (!(renewSeconds > retrySeconds * JITTER))
    return `Leader election (${told}): the leader must be given time for a second try; make renew more than ${String(JITTER)} times retry.`;
  if (!(leaseSeconds > renewSeconds))
    return `Leader election (${told}): a leader must give up before the others may begin; make lease longer than renew.`;
  return undefined;
}

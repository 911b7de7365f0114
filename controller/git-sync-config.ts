import type { GitSyncConfig } from "../source/controller-config/controller-config.js";
import type { GitReference, GitSyncSettings } from "./git-sync/git-sync-settings.js";

/** The configuration file's words for what the Git sync asks for. */
export function gitSyncSettings(config: GitSyncConfig): GitSyncSettings {
  const { branch, tag, commit, allowedSignersFile, ...rest } = config;
  return {
    ...rest,
    reference: referenceOf({ branch, tag, commit }),
    ...(allowedSignersFile !== undefined && { verify: { mode: "commit", allowedSignersFile } }),
  };
}

/** Exactly one of the three is there: parseControllerConfig saw to it. */
function referenceOf({
  branch,
  tag,
  commit,
}: Pick<GitSyncConfig, "branch" | "tag" | "commit">): GitReference {
  if (commit !== undefined) return { kind: "commit", name: commit };
  return tag === undefined ? { kind: "branch", name: branch ?? "main" } : { kind: "tag", name: tag };
}

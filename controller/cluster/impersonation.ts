/** `as`, `as-uid`, `as-groups` and `as-user-extra` of a kubeconfig's user, as the headers the API server knows. */
import type { JsonObject } from "../object.js";

export function impersonationOf(user: JsonObject): Record<string, string | string[]> {
  const groups = textsOf(user["as-groups"]);
  return {
    ...oneText("impersonate-user", user["as"]),
    ...oneText("impersonate-uid", user["as-uid"]),
    ...(groups.length > 0 ? { "impersonate-group": groups } : {}),
    ...extraOf(user["as-user-extra"]),
  };
}

function oneText(header: string, value: unknown): Record<string, string> {
  return typeof value === "string" && value !== "" ? { [header]: value } : {};
}

function extraOf(extra: unknown): Record<string, string[]> {
  if (typeof extra !== "object" || extra === null || Array.isArray(extra)) return {};
  return Object.fromEntries(
    Object.entries(extra)
      .map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, textsOf(values)])
      .filter(([, texts]) => (texts?.length ?? 0) > 0),
  ) as Record<string, string[]>;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

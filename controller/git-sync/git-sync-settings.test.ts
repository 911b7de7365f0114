import { describe, expect, it } from "vitest";
import { gitFault } from "./git-fault.js";
import { settingsProblem, type GitSyncSettings } from "./git-sync-settings.js";
import { waitSeconds } from "./git-sync.js";

const good: GitSyncSettings = {
  url: "https://git.example.org/team/sources.git",
  reference: { kind: "branch", name: "main" },
  path: "harvest/endpoints",
  intervalSeconds: 60,
  namespaces: ["geo"],
  maxDeletePercent: 20,
  workDirectory: "/tmp/git",
};

describe("settingsProblem", () => {
  const fine: { name: string; change: Partial<GitSyncSettings> }[] = [
    { name: "https", change: {} },
    { name: "ssh", change: { url: "ssh://git@git.example.org:2222/team/sources.git" } },
    { name: "user@host:path", change: { url: "git@git.example.org:team/sources.git" } },
    { name: "a file, in a test", change: { url: "file:///tmp/x", allowFile: true } },
    { name: "a branch with a slash", change: { reference: { kind: "branch", name: "release/1.2" } } },
    { name: "a tag", change: { reference: { kind: "tag", name: "v1.0" } } },
    { name: "a commit", change: { reference: { kind: "commit", name: "0".repeat(40) } } },
    { name: "the whole repository", change: { path: "" } },
    { name: "the whole repository by a dot", change: { path: "." } },
    { name: "verified", change: { verify: { mode: "commit", allowedSignersFile: "/etc/signers" } } },
  ];
  it.each(fine)("takes $name", ({ change }) => {
    expect(settingsProblem({ ...good, ...change })).toBeUndefined();
  });

  const bad: { name: string; change: Partial<GitSyncSettings>; says: RegExp }[] = [
    { name: "http", change: { url: "http://git.example.org/a" }, says: /https:\/\/ or ssh:\/\// },
    { name: "a file", change: { url: "file:///etc" }, says: /https/ },
    { name: "a helper program", change: { url: "ext::sh -c touch% /tmp/x" }, says: /https/ },
    { name: "an option", change: { url: "--upload-pack=touch /tmp/x" }, says: /https/ },
    { name: "a host that is an option", change: { url: "git@-oProxyCommand=x:y" }, says: /https|ssh/ },
    { name: "a local path", change: { url: "/etc" }, says: /https/ },
    { name: "a password", change: { url: "https://me:pw@git.example.org/a" }, says: /secret/ },
    { name: "a token as user", change: { url: "https://token@git.example.org/a" }, says: /secret/ },
    {
      name: "a branch that is an option",
      change: { reference: { kind: "branch", name: "--all" } },
      says: /branch/,
    },
    { name: "a branch with dots", change: { reference: { kind: "branch", name: "a..b" } }, says: /branch/ },
    {
      name: "a branch that is a refspec",
      change: { reference: { kind: "branch", name: "a:b" } },
      says: /branch/,
    },
    { name: "a tag with a blank", change: { reference: { kind: "tag", name: "a b" } }, says: /tag/ },
    { name: "a short commit", change: { reference: { kind: "commit", name: "abc1234" } }, says: /commit/ },
    { name: "a path upwards", change: { path: "a/../../b" }, says: /inside/ },
    { name: "an absolute path", change: { path: "/etc" }, says: /inside/ },
    { name: "a path with a zero", change: { path: "a\0b" }, says: /inside/ },
    { name: "no namespace", change: { namespaces: [] }, says: /namespace/ },
    { name: "more than all", change: { maxDeletePercent: 101 }, says: /percent/ },
    { name: "no number", change: { maxDeletePercent: Number.NaN }, says: /percent/ },
    { name: "no pause", change: { intervalSeconds: 0 }, says: /interval/ },
    { name: "nobody to trust", change: { verify: { mode: "commit" } }, says: /signers/ },
  ];
  it.each(bad)("refuses $name", ({ change, says }) => {
    expect(settingsProblem({ ...good, ...change })).toMatch(says);
  });
});

describe("gitFault", () => {
  it("blots out secrets and user names, and draws nothing on a terminal", () => {
    const fault = gitFault("X", "fatal: https://me:s3cret@h/ \u001b[2J s3cret\nremote: no", ["s3cret"]);
    expect(fault.message).toBe("X. Git failed. Git says: fatal: https://***@h/  [2J *** remote: no");
  });
  const table: { says: string; code: string }[] = [
    { says: "fatal: couldn't find remote ref refs/heads/x", code: "reference-missing" },
    { says: "fatal: Authentication failed for 'https://h/'", code: "denied" },
    { says: "git@h: Permission denied (publickey).", code: "denied" },
    { says: "fatal: unable to access 'https://h/': Could not resolve host: h", code: "unreachable" },
    { says: "fatal: transport 'file' not allowed", code: "denied" },
    { says: "something new", code: "failed" },
  ];
  it.each(table)("$says → $code", ({ says, code }) => {
    expect(gitFault("X", says, []).code).toBe(code);
  });
});

describe("waitSeconds", () => {
  const table = [
    { interval: 60, failures: 0, random: 0, expected: 54 },
    { interval: 60, failures: 0, random: 0.5, expected: 60 },
    { interval: 60, failures: 2, random: 0.5, expected: 240 },
    { interval: 60, failures: 50, random: 0.5, expected: 900 },
    { interval: 3600, failures: 50, random: 0.5, expected: 3600 },
  ];
  it.each(table)(
    "$interval s after $failures failures: $expected s",
    ({ interval, failures, random, expected }) => {
      expect(waitSeconds(interval, failures, random)).toBeCloseTo(expected, 6);
    },
  );
});

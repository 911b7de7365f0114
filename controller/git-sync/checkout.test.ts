import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRepository, manifestText, type TestRepository } from "../../tests/setup/git-repository.js";
import { checkout } from "./checkout.js";
import { readCredentials } from "./credentials.js";
import type { GitSyncSettings } from "./git-sync-settings.js";
import { readRevision } from "./read.js";
import { runGit } from "./run-git.js";

let repository: TestRepository;
let work: string;
const never = new AbortController().signal;

beforeEach(() => {
  repository = createRepository();
  work = mkdtempSync(join(tmpdir(), "work-"));
});
afterEach(() => {
  repository.remove();
  rmSync(work, { recursive: true, force: true });
});

function settings(more: Partial<GitSyncSettings> = {}): GitSyncSettings {
  return {
    url: repository.url,
    reference: { kind: "branch", name: "main" },
    path: "sources",
    intervalSeconds: 60,
    namespaces: ["geo"],
    maxDeletePercent: 20,
    workDirectory: work,
    allowFile: true,
    ...more,
  };
}

async function names(more: Partial<GitSyncSettings> = {}): Promise<string[]> {
  const given = settings(more);
  const read = await readRevision(await checkout(given, never), given.path, never);
  if (read.kind === "refused") throw new Error(read.findings.map(({ rule }) => rule).join(" "));
  return read.manifests.map(({ source, file, line }) => `${file}:${String(line)} ${source.metadata.name}`);
}

async function refusal(more: Partial<GitSyncSettings> = {}) {
  const given = settings(more);
  const read = await readRevision(await checkout(given, never), given.path, never);
  if (read.kind === "read") throw new Error("nothing was refused");
  return read.findings.map(
    ({ rule, severity, place }) => `${severity} ${rule} ${place.file}:${String(place.line)}`,
  );
}

describe("checkout", () => {
  it("fetches a branch one commit deep, and follows it, also when it was pushed by force", async () => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    const second = repository.commit({ "sources/b.yaml": manifestText("b") });
    const found = await checkout(settings(), never);
    expect(found).toMatchObject({ commit: second, revision: `main@sha1:${second}` });
    const count = execFileSync("git", ["rev-list", "--count", second], {
      cwd: found.repository,
      encoding: "utf8",
    });
    expect(count.trim()).toBe("1");

    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    const third = repository.commit({ "sources/c.yaml": manifestText("c") });
    expect((await checkout(settings(), never)).commit).toBe(third);
    expect(await names()).toEqual(["sources/a.yaml:4 a", "sources/c.yaml:4 c"]);
  });

  it("takes a tag with a message, and a commit by its id", async () => {
    const first = repository.commit({ "sources/a.yaml": manifestText("a") });
    repository.git("tag", "-a", "v1", "-m", "One");
    repository.commit({ "sources/b.yaml": manifestText("b") });
    const tag = { kind: "tag", name: "v1" } as const;
    const commit = { kind: "commit", name: first } as const;
    expect(await checkout(settings({ reference: tag }), never)).toMatchObject({
      commit: first,
      revision: `v1@sha1:${first}`,
    });
    expect(await checkout(settings({ reference: commit }), never)).toMatchObject({
      commit: first,
      revision: `sha1:${first}`,
    });
  });

  const faults: { name: string; change: Partial<GitSyncSettings>; code: string; says: RegExp }[] = [
    {
      name: "a branch that is not there",
      change: { reference: { kind: "branch", name: "other" } },
      code: "reference-missing",
      says: /^Branch other of file:\/\/\S+ could not be fetched\. The repository has no such branch/,
    },
    {
      name: "a commit that is not there",
      change: { reference: { kind: "commit", name: "1".repeat(40) } },
      code: "reference-missing",
      says: /no such branch, tag or commit/,
    },
    {
      name: "a repository that is not there",
      change: { url: "file:///nowhere/at/all" },
      code: "unreachable",
      says: /what is in the cluster stays/,
    },
    {
      name: "a host that does not answer",
      change: { url: "https://127.0.0.1:1/x.git" },
      code: "unreachable",
      says: /could not be reached/,
    },
    {
      name: "a protocol that is not allowed",
      change: { allowFile: false },
      code: "denied",
      says: /not allowed/,
    },
    { name: "more than a fetch may bring", change: { maxFetchBytes: 100 }, code: "too-big", says: /bigger/ },
    { name: "a slow one", change: { fetchSeconds: 0.000_001 }, code: "timeout", says: /too long/ },
    {
      name: "an ssh address without a secret",
      change: { url: "ssh://git@127.0.0.1/x.git" },
      code: "credentials",
      says: /known_hosts/,
    },
  ];
  it.each(faults)("says what is wrong with $name", async ({ change, code, says }) => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    const message = expect.stringMatching(says) as string;
    await expect(checkout(settings(change), never)).rejects.toMatchObject({ code, message });
    expect(await names()).toEqual(["sources/a.yaml:4 a"]);
  });

  it("begins anew in a work folder that a killed fetch left locked or broken", async () => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    await checkout(settings(), never);
    writeFileSync(join(work, "repository.git", "shallow.lock"), "");
    writeFileSync(join(work, "repository.git", "HEAD"), "broken");
    repository.commit({ "sources/a.yaml": manifestText("a", { schedule: "@daily" }) });
    await expect(checkout(settings(), never)).rejects.toMatchObject({ name: "GitFault" });
    expect(await names()).toEqual(["sources/a.yaml:4 a"]);
  });

  it("runs no hook, follows no submodule, writes no working tree", async () => {
    repository.commit({ "sources/a.yaml": manifestText("a"), ".gitattributes": "*.yaml filter=x\n" });
    await names();
    expect(readdirSync(work)).toEqual(["repository.git"]);
    expect(readdirSync(join(work, "repository.git"))).not.toContain("hooks");
  });

  it("stops when the controller does", async () => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    await expect(checkout(settings(), AbortSignal.abort())).rejects.toMatchObject({ code: "stopped" });
  });
});

describe("signatures", () => {
  function key(name: string): string {
    const path = join(work, name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path]);
    return path;
  }
  function signed(keyFile: string): string {
    repository.git("config", "gpg.format", "ssh");
    repository.git("config", "user.signingKey", keyFile);
    return repository.commit({ "sources/a.yaml": manifestText("a") }, "-S");
  }
  function verifying(signers: string): Partial<GitSyncSettings> {
    const allowedSignersFile = join(work, "signers");
    writeFileSync(allowedSignersFile, signers);
    return { verify: { mode: "commit", allowedSignersFile } };
  }
  const publicKey = (path: string) => readFileSync(`${path}.pub`, "utf8").trim();

  it("takes a commit signed by somebody who may", async () => {
    const mine = key("mine");
    const commit = signed(mine);
    expect(await checkout(settings(verifying(`t@example.org ${publicKey(mine)}\n`)), never)).toMatchObject({
      commit,
    });
  });

  it("refuses one that is signed by somebody else, by nobody, or when nobody may", async () => {
    const mine = key("mine");
    const other = key("other");
    const good = verifying(`t@example.org ${publicKey(mine)}\n`);
    signed(other);
    await expect(checkout(settings(good), never)).rejects.toMatchObject({ code: "unverified" });
    repository.commit({ "sources/a.yaml": manifestText("a", { schedule: "@daily" }) });
    await expect(checkout(settings(good), never)).rejects.toMatchObject({
      code: "unverified",
      message: expect.stringMatching(/^Commit [0-9a-f]{40} of file:\S+ is not signed by anybody/) as string,
    });
    signed(mine);
    await expect(checkout(settings(verifying("")), never)).rejects.toMatchObject({ code: "unverified" });
    await expect(
      checkout(settings({ verify: { mode: "commit", allowedSignersFile: join(work, "none") } }), never),
    ).rejects.toMatchObject({ code: "unverified" });
  });
});

describe("readRevision", () => {
  it("reads all manifests of the folder and only of it", async () => {
    repository.commit({
      "sources/a.yaml": manifestText("a"),
      "sources/deep/er/b.yml": `${manifestText("b")}---\n${manifestText("c")}`,
      "sources/d.json": JSON.stringify({
        apiVersion: "ingest.geoportal.io/v1",
        kind: "HarvestSource",
        metadata: { name: "d" },
        spec: { baseUrl: "https://d.example.org/oai", metadataPrefix: "oai_dc", schedule: "@daily" },
      }),
      "sources/kustomization.yaml": "resources: [a.yaml]\n",
      "sources/README.md": "# not a manifest\n",
      "sources-of-others/x.yaml": "nonsense: [",
      "other.yaml": "nonsense: [",
    });
    const expected = [
      "sources/a.yaml:4 a",
      "sources/d.json:1 d",
      "sources/deep/er/b.yml:4 b",
      "sources/deep/er/b.yml:13 c",
    ];
    expect(await names()).toEqual(expected);
    expect(await names({ path: "./sources//" })).toEqual(expected);
    expect(await names({ path: "sources/deep" })).toEqual(expected.slice(2));
    expect(await names({ path: "nowhere" })).toEqual([]);
    expect(await names({ path: "s*" })).toEqual([]);
    await expect(names({ path: "" })).rejects.toThrow("yaml/syntax");
  });

  const bad: { name: string; files: Record<string, string>; expected: string[] }[] = [
    {
      name: "a broken file refuses the good ones",
      files: { "sources/bad.yaml": "spec: [" },
      expected: ["error yaml/syntax sources/bad.yaml:1"],
    },
    {
      name: "another kind",
      files: { "sources/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n" },
      expected: ["error manifest/other-kind sources/cm.yaml:2"],
    },
    {
      name: "another kind behind one of ours",
      files: { "sources/two.yaml": `${manifestText("b")}---\napiVersion: v1\nkind: Secret\n` },
      expected: ["error manifest/other-kind sources/two.yaml:11"],
    },
    {
      name: "an unknown field",
      files: { "sources/u.yaml": `${manifestText("b")}  surprise: 1\n` },
      expected: ["error schema/unknown-field sources/u.yaml:9"],
    },
    {
      name: "a rule between fields",
      files: {
        "sources/m.yaml": `${manifestText("b").replace("https:", "http:")}  transport: {mtls: true}\n`,
      },
      expected: ["error transport/mtls-needs-https sources/m.yaml:9"],
    },
    {
      name: "an empty file",
      files: { "sources/e.yaml": "" },
      expected: ["error manifest/empty sources/e.yaml:1"],
    },
    {
      name: "a hostile name",
      files: { "sources/a\u001b[2J\n.yaml": manifestText("b") },
      expected: ["error git/name sources/a?[2J?.yaml:1"],
    },
  ];
  it.each(bad)("$name", async ({ files, expected }) => {
    repository.commit({ "sources/a.yaml": manifestText("a"), ...files });
    expect(await refusal()).toEqual(expected);
  });

  it("refuses links, wherever they lead", async () => {
    repository.link("sources/out.yaml", "/etc/passwd");
    repository.link("sources/folder", "..");
    repository.commit({ "sources/a.yaml": manifestText("a") });
    expect(await refusal()).toEqual(["error git/link sources/folder:1", "error git/link sources/out.yaml:1"]);
  });

  it("refuses submodules", async () => {
    const commit = repository.commit({ "sources/a.yaml": manifestText("a") });
    repository.git("update-index", "--add", "--cacheinfo", `160000,${commit},sources/sub`);
    repository.git("commit", "--quiet", "--message", "Sub");
    expect(await refusal()).toEqual(["error git/submodule sources/sub:1"]);
  });

  it("finds nothing of a folder whose name leads outside", async () => {
    repository.commit({ "sources/a.yaml": manifestText("a") });
    const found = await checkout(settings(), never);
    await expect(readRevision(found, "../..", never)).rejects.toMatchObject({ code: "failed" });
  });
});

describe("credentials", () => {
  it("go to the server in a header, and stand in no argument and no message", async () => {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      writeFileSync(join(work, "username"), "bot\n");
      writeFileSync(join(work, "password"), "s3cret\n");
      const { environment, secrets } = await readCredentials(
        settings({ url: `https://${origin}/x.git`, secretDirectory: work }),
      );
      expect(secrets).toEqual(["s3cret", "Ym90OnMzY3JldA=="]);
      // The same header as over TLS: only the scheme of the address differs.
      const plain = JSON.parse(JSON.stringify(environment).replace("https://", "http://")) as Record<
        string,
        string
      >;
      const end = await runGit({
        args: ["ls-remote", `http://${origin}/x.git`],
        environment: { PATH: process.env["PATH"] ?? "", HOME: work, GIT_TERMINAL_PROMPT: "0", ...plain },
        cwd: work,
        timeoutSeconds: 20,
        maxOutputBytes: 1000,
      });
      expect(end.code).not.toBe(0);
      expect(requests[0]?.headers.authorization).toBe("Basic Ym90OnMzY3JldA==");
      expect(end.stderr).not.toContain("s3cret");
    } finally {
      server.close();
    }
  });

  it("for ssh need to know the host", async () => {
    writeFileSync(join(work, "ssh-privatekey"), "k");
    const url = "git@example.org:a.git";
    await expect(readCredentials(settings({ url, secretDirectory: work }))).rejects.toMatchObject({
      code: "credentials",
    });
    writeFileSync(join(work, "known_hosts"), "h");
    const { environment } = await readCredentials(settings({ url, secretDirectory: work }));
    expect(environment["GIT_SSH_COMMAND"]).toContain("-o 'StrictHostKeyChecking=yes'");
    expect(existsSync(work)).toBe(true);
  });

  it("with two lines are refused", async () => {
    writeFileSync(join(work, "password"), "a\nHost: evil");
    const url = "https://example.org/a.git";
    await expect(readCredentials(settings({ url, secretDirectory: work }))).rejects.toMatchObject({
      code: "credentials",
    });
  });
});

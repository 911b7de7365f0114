import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConfigProblem } from "./config-problem.js";
import { loadConnection, type ConnectionOptions } from "./connection.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harvest-connection-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function config(user: object, cluster: object = {}, server = "https://127.0.0.1:1"): string {
  return JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "gis" } }],
    clusters: [{ name: "c", cluster: { server, ...cluster } }],
    users: [{ name: "u", user }],
  });
}

function load(options: Partial<ConnectionOptions> = {}) {
  return loadConnection({ environment: {}, serviceAccount: join(folder, "none"), ...options });
}

function problemOf(options: Partial<ConnectionOptions>): ConfigProblem | undefined {
  try {
    load(options);
    return undefined;
  } catch (error) {
    return error as ConfigProblem;
  }
}

describe("loadConnection", () => {
  it("reads the path that was given", () => {
    const connection = load({ kubeconfig: write("a", config({ token: "t" })) });
    expect(connection).toMatchObject({ contextName: "x", namespace: "gis" });
    expect(connection.server.href).toBe("https://127.0.0.1:1/");
  });

  it("reads KUBECONFIG, and passes over a file of it that is missing", () => {
    const files = [
      join(folder, "missing"),
      write("a", config({})),
      write("b", config({}, {}, "https://other")),
    ];
    expect(load({ environment: { KUBECONFIG: files.join(":") } }).server.href).toBe("https://127.0.0.1:1/");
  });

  it("reads ~/.kube/config before it looks for a service account", () => {
    mkdirSync(join(folder, ".kube"));
    write(".kube/config", config({}));
    expect(load({ environment: { HOME: folder } }).contextName).toBe("x");
  });

  it("is a pod's service account where there is no kubeconfig", async () => {
    write("token", "abc\n");
    write("namespace", "harvest\n");
    const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "6443" };
    const connection = load({ environment, serviceAccount: folder });
    expect(connection).toMatchObject({ contextName: "in-cluster", namespace: "harvest" });
    expect(connection.server.href).toBe("https://[fd00::1]:6443/");
    expect(await connection.headers()).toEqual({ authorization: "Bearer abc" });
    await expect(connection.dispatcher()).rejects.toMatchObject({ code: "FileUnreadable" });
  });

  it.each([
    { name: "nothing anywhere", options: () => ({}), code: "NoKubeconfig", says: "KUBECONFIG is not set" },
    {
      name: "a path that is not there",
      options: () => ({ kubeconfig: join(folder, "nope") }),
      code: "NoKubeconfig",
      says: "There is no kubeconfig at",
    },
    {
      name: "KUBECONFIG that leads nowhere",
      options: () => ({ environment: { KUBECONFIG: "/nope/a:/nope/b" } }),
      code: "NoKubeconfig",
      says: "/nope/a, /nope/b",
    },
    {
      name: "a folder",
      options: () => ({ kubeconfig: folder }),
      code: "KubeconfigUnreadable",
      says: "EISDIR",
    },
    {
      name: "broken YAML, without quoting it",
      options: () => ({ kubeconfig: write("a", "users:\n  - token: [s3cret\n") }),
      code: "KubeconfigInvalid",
      says: "is no valid YAML (line ",
    },
    {
      name: "bytes that are no text",
      options: () => {
        writeFileSync(join(folder, "a"), Buffer.from([0xc3, 0x28, 0xff]));
        return { kubeconfig: join(folder, "a") };
      },
      code: "KubeconfigInvalid",
      says: "is not UTF-8",
    },
    {
      name: "a text that is no mapping",
      options: () => ({ kubeconfig: write("a", "- a\n") }),
      code: "KubeconfigInvalid",
      says: "holds no mapping",
    },
    {
      name: "an empty file",
      options: () => ({ kubeconfig: write("a", "") }),
      code: "ContextMissing",
      says: "no contexts at all",
    },
  ])("says what is wrong: $name", ({ options, code, says }) => {
    const problem = problemOf(options());
    expect(problem).toMatchObject({ name: "ConfigProblem", code });
    expect(problem?.message).toContain(says);
    expect(problem?.message).not.toContain("s3cret");
  });
});

describe("credentials", () => {
  async function headers(user: object) {
    return load({ kubeconfig: write("config", config(user)) }).headers();
  }

  it("sends token, or name and password, and whom to act as", async () => {
    expect(await headers({ token: "t" })).toEqual({ authorization: "Bearer t" });
    expect(await headers({ username: "ada", password: "pw" })).toEqual({ authorization: "Basic YWRhOnB3" });
    expect(await headers({ token: "t", as: "bob", "as-groups": ["g"] })).toEqual({
      authorization: "Bearer t",
      "impersonate-user": "bob",
      "impersonate-group": ["g"],
    });
    expect(await headers({})).toEqual({});
  });

  it("reads a token file again after a minute, or when it was refused, and keeps the old token while it is missing", async () => {
    let now = 0;
    write("token", "one\n");
    const connection = load({ kubeconfig: write("config", config({ tokenFile: "token" })), now: () => now });
    const token = async () => (await connection.headers())["authorization"];
    expect(await token()).toBe("Bearer one");
    write("token", "second\n");
    now = 59_000;
    expect(await token()).toBe("Bearer one");
    now = 60_000;
    expect(await token()).toBe("Bearer second");
    write("token", "third\n");
    connection.renew(connection.generation());
    expect(await token()).toBe("Bearer third");
    rmSync(join(folder, "token"));
    now = 130_000;
    expect(await token()).toBe("Bearer third");
  });

  it("renews once for many requests that were refused together", () => {
    const connection = load({ kubeconfig: write("config", config({ token: "t" })) });
    const seen = connection.generation();
    connection.renew(seen);
    connection.renew(seen);
    expect(connection.generation()).toBe(seen + 1);
  });

  it.each([
    ["token file", { tokenFile: "nope" }, "The token file"],
    ["client certificate", { "client-certificate": "nope", "client-key": "nope" }, "The client certificate"],
  ])("names a missing %s", async (_name, user, says) => {
    const connection = load({ kubeconfig: write("config", config(user)) });
    const asked = Promise.all([connection.headers(), connection.dispatcher()]);
    await expect(asked).rejects.toMatchObject({ code: "FileUnreadable" });
    await expect(asked).rejects.toThrow(`${says} ${join(folder, "nope")} cannot be read (ENOENT)`);
  });

  it.each([
    ["an authority that is no certificate", {}, { "certificate-authority": "junk" }],
    ["a certificate that is none", { "client-certificate": "junk", "client-key": "junk" }, {}],
  ])("refuses %s", async (_name, user, cluster) => {
    write("junk", "junk");
    const connection = load({ kubeconfig: write("config", config(user, cluster)) });
    await expect(connection.dispatcher()).rejects.toMatchObject({ code: "CertificateInvalid" });
  });

  it("refuses a proxy of a kind it does not know", async () => {
    const connection = load({ kubeconfig: write("config", config({}, { "proxy-url": "ftp://p" })) });
    await expect(connection.dispatcher()).rejects.toMatchObject({ code: "ProxyInvalid" });
  });

  it("gives no connection once it was closed", async () => {
    const connection = load({ kubeconfig: write("config", config({ token: "t" })) });
    await connection.dispatcher();
    await connection.close();
    await expect(connection.dispatcher()).rejects.toMatchObject({ code: "Closed" });
  });
});

describe("login programs", () => {
  function program(script: string): string {
    const path = write("login", `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  function exec(command: string, more: object = {}) {
    const user = { exec: { apiVersion: "client.authentication.k8s.io/v1", command, ...more } };
    return load({ kubeconfig: write("config", config(user)) });
  }

  it("asks the program once while what it gave is valid, and anew when it was refused", async () => {
    const runs = join(folder, "runs");
    const command = program(
      `echo x >> ${runs}\ncount=$(wc -l < ${runs} | tr -d ' ')\n` +
        `echo "{\\"status\\":{\\"token\\":\\"t$count\\",\\"expirationTimestamp\\":\\"2999-01-01T00:00:00Z\\"}}"`,
    );
    const connection = exec(command);
    const token = async () => (await connection.headers())["authorization"];
    expect(await Promise.all([token(), token(), token()])).toEqual(["Bearer t1", "Bearer t1", "Bearer t1"]);
    connection.renew(connection.generation());
    expect(await token()).toBe("Bearer t2");
  });

  it("tells the program what it expects of it, and passes its arguments and environment", async () => {
    const command = program(
      `echo "$KUBERNETES_EXEC_INFO" > ${folder}/info\necho "{\\"status\\":{\\"token\\":\\"$1-$WHO\\"}}"`,
    );
    const connection = exec(command, { args: ["a"], env: [{ name: "WHO", value: "ada" }] });
    expect(await connection.headers()).toEqual({ authorization: "Bearer a-ada" });
    expect(JSON.parse(readFileSync(join(folder, "info"), "utf8"))).toEqual({
      kind: "ExecCredential",
      apiVersion: "client.authentication.k8s.io/v1",
      spec: { interactive: false },
    });
  });

  it.each([
    { name: "is not there", script: undefined, says: "there is no such program in PATH" },
    {
      name: "fails",
      script: "echo 'not logged in' >&2; echo more >&2; exit 1",
      says: "not logged in. Run it by hand",
    },
    { name: "fails in silence", script: "exit 3", says: "it failed without a word" },
    { name: "prints no JSON", script: "echo s3cret", says: "what it printed is no ExecCredential" },
    {
      name: "prints another JSON",
      script: 'echo \'{"token":"s3cret"}\'',
      says: "what it printed is no ExecCredential",
    },
  ])("says so when it $name", async ({ script, says }) => {
    const connection = exec(script === undefined ? join(folder, "nope") : program(script));
    const problem = await connection.headers().catch((error: unknown) => error as ConfigProblem);
    expect(problem).toMatchObject({ code: "PluginFailed" });
    expect((problem as ConfigProblem).message).toContain(says);
    expect((problem as ConfigProblem).message).not.toContain("s3cret");
  });

  it("shows the kubeconfig's own hint how to get the program", async () => {
    const connection = exec(join(folder, "nope"), { installHint: "Install acme-login from the portal." });
    await expect(connection.headers()).rejects.toThrow("Install acme-login from the portal.");
  });
});

import { describe, expect, it } from "vitest";
import type { ConfigProblem } from "./config-problem.js";
import { chooseTarget, type KubeconfigFile } from "./kubeconfig.js";

const pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const coded = Buffer.from(pem).toString("base64");

function file(path: string, value: KubeconfigFile["value"]): KubeconfigFile {
  return { path, value };
}

const plain = file("/home/ada/.kube/config", {
  "current-context": "one",
  contexts: [
    { name: "one", context: { cluster: "c", user: "u", namespace: "gis" } },
    { name: "nobody", context: { cluster: "c" } },
    { name: "no-cluster", context: { cluster: "gone", user: "u" } },
    { name: "no-user", context: { cluster: "c", user: "gone" } },
    { name: "no-server", context: { cluster: "empty", user: "u" } },
    { name: "bad-ca", context: { cluster: "bad-ca", user: "u" } },
  ],
  clusters: [
    {
      name: "c",
      cluster: {
        server: "https://h:6443/k8s/clusters/a",
        "certificate-authority": "ca.crt",
        "certificate-authority-data": coded,
        "tls-server-name": "inside",
        "proxy-url": "http://proxy:3128",
      },
    },
    { name: "empty", cluster: {} },
    { name: "bad-ca", cluster: { server: "https://h", "certificate-authority-data": "AAAA" } },
  ],
  users: [
    {
      name: "u",
      user: {
        tokenFile: "token",
        token: "t",
        "client-certificate": "/etc/c.crt",
        "client-key-data": coded,
        as: "ada",
        "as-uid": "7",
        "as-groups": ["a", "b"],
        "as-user-extra": { Scopes: ["x", "y"], "acme.com/p": ["z"] },
      },
    },
  ],
});

function codeOf(context: string, files: readonly KubeconfigFile[] = [plain]) {
  try {
    chooseTarget(files, context);
    return undefined;
  } catch (error) {
    return error as ConfigProblem;
  }
}

describe("chooseTarget", () => {
  it("takes all of a context, paths counted from the file", () => {
    expect(chooseTarget([plain])).toEqual({
      contextName: "one",
      namespace: "gis",
      cluster: {
        server: new URL("https://h:6443/k8s/clusters/a"),
        caFile: "/home/ada/.kube/ca.crt",
        caData: pem,
        tlsServerName: "inside",
        proxyUrl: "http://proxy:3128",
        insecure: false,
      },
      user: {
        name: "u",
        token: "t",
        tokenFile: "/home/ada/.kube/token",
        certFile: "/etc/c.crt",
        keyData: pem,
        impersonation: {
          "impersonate-user": "ada",
          "impersonate-uid": "7",
          "impersonate-group": ["a", "b"],
          "impersonate-extra-scopes": ["x", "y"],
          "impersonate-extra-acme.com%2Fp": ["z"],
        },
      },
    });
  });

  it("lets a context without a user be anonymous", () => {
    expect(chooseTarget([plain], "nobody").user).toEqual({ name: "", impersonation: {} });
  });

  it("lets the first of several files win, and finds what another has", () => {
    const first = file("/a/one", {
      "current-context": "mine",
      contexts: [{ name: "mine", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "http://first" } }],
    });
    const target = chooseTarget([first, plain]);
    expect(target.cluster.server.href).toBe("http://first/");
    expect(target.user.token).toBe("t");
  });

  it("resolves a login program with a slash from the file, and leaves one without to PATH", () => {
    const user = (command: string) => ({ exec: { command } });
    const config = file("/home/ada/config", {
      contexts: [
        { name: "near", context: { cluster: "c", user: "near" } },
        { name: "path", context: { cluster: "c", user: "path" } },
      ],
      clusters: [{ name: "c", cluster: { server: "https://h" } }],
      users: [
        { name: "near", user: user("./bin/login") },
        { name: "path", user: user("aws") },
      ],
    });
    expect(chooseTarget([config], "near").user.exec).toEqual({ command: "/home/ada/bin/login" });
    expect(chooseTarget([config], "path").user.exec).toEqual({ command: "aws" });
  });

  it.each([
    ["two", "ContextMissing", "has no context 'two'. Choose one with --context: one, nobody, no-cluster"],
    [
      "no-cluster",
      "ClusterMissing",
      "Context 'no-cluster' of the kubeconfig /home/ada/.kube/config names the cluster 'gone', which is not in it.",
    ],
    ["no-user", "UserMissing", "names the user 'gone', which is not in it."],
    [
      "no-server",
      "ServerInvalid",
      "The server of cluster 'empty' is no address of the form https://host:port.",
    ],
    [
      "bad-ca",
      "CertificateInvalid",
      "certificate-authority-data of cluster 'bad-ca' is no PEM text in base64.",
    ],
  ])("says what is wrong with context %s", (context, code, sentence) => {
    const problem = codeOf(context);
    expect(problem?.code).toBe(code);
    expect(problem?.message).toContain(sentence);
  });

  it.each([
    ["no current context", { contexts: plain.value["contexts"] ?? null }],
    ["an empty file", {}],
    ["lists that are none", { "current-context": "one", contexts: "x", users: null }],
  ])("says so for %s", (_name, value) => {
    expect(codeOf(undefined as unknown as string, [file("/c", value)])?.code).toBe("ContextMissing");
  });
});

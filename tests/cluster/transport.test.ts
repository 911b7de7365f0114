/** The client of the API server, on a real one: what it sends, what it keeps, and what it says when it is refused. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApi, type ClusterApi } from "../../controller/cluster/client.js";
import {
  loadConnection,
  type Connection,
  type ConnectionOptions,
} from "../../controller/cluster/connection.js";
import type { ObservedRequest, TransportOptions } from "../../controller/cluster/transport.js";
import type { KubeObject } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { createAuthority } from "../setup/certificates.js";
import { clusterHttp } from "../setup/cluster-http.js";
import { startControlPlane, type ControlPlane } from "../setup/control-plane.js";
import { startFaultProxy } from "../setup/fault-proxy.js";

const folder = mkdtempSync(join(tmpdir(), "transport-"));
const people = createAuthority("People");
writeFileSync(join(folder, "people.crt"), people.cert);

const plane = await startControlPlane({
  parts: "api",
  apiServerFlags: ["--client-ca-file", join(folder, "people.crt")],
});

/** The suite is read, not run, where there is no control plane. */
const nowhere = { server: "https://127.0.0.1", certificateAuthority: "", token: "", kubeconfig: "" };

const open: Connection[] = [];

afterAll(async () => {
  for (const connection of open) await connection.close();
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A kubeconfig of files, which can be replaced while it is in use. */
function kubeconfig(user: object, cluster: object): string {
  return write(
    `config-${String(open.length)}`,
    JSON.stringify({
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user }],
    }),
  );
}

function connect(options: Partial<ConnectionOptions>): Connection {
  const connection = loadConnection({ environment: {}, ...options });
  open.push(connection);
  return connection;
}

function configMap(name: string, more: object = {}): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, ...more };
}

describe.skipIf(plane === undefined)("on a real API server", () => {
  const { server, certificateAuthority, token, kubeconfig: admin } = plane ?? nowhere;
  const ca = { server, "certificate-authority": write("ca.crt", certificateAuthority) };
  const http = clusterHttp({ server, certificateAuthority, token });
  const observed: ObservedRequest[] = [];
  const warnings: string[] = [];
  let api: ClusterApi;

  const options: TransportOptions = {
    observeRequest: (request) => observed.push(request),
    onWarning: (text) => warnings.push(text),
    rateLimit: { perSecond: 1_000, burst: 2_000 },
  };

  async function post(path: string, body: unknown) {
    const { status, text } = await http.send("POST", path, { body });
    expect(status, text).toBe(201);
    return JSON.parse(text) as Record<string, Record<string, string>>;
  }

  async function whoAmI(asked: ClusterApi): Promise<string> {
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    const answer = await asked.raw("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
      body: review,
      replayable: true,
    });
    const { status } = (await answer.json()) as { status: { userInfo: { username: string } } };
    return status.userInfo.username;
  }

  async function serviceAccountToken(name: string): Promise<string> {
    await http.send("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name } } });
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    return (await post(`/api/v1/namespaces/default/serviceaccounts/${name}/token`, request))["status"]![
      "token"
    ]!;
  }

  beforeAll(() => {
    api = createApi(connect({ kubeconfig: admin }), options);
  });

  afterAll(() => {
    http.close();
  });

  it("makes 50 calls over at most two connections", async () => {
    const proxy = await startFaultProxy({ target: server });
    const through = { ...ca, server: `https://127.0.0.1:${String(proxy.port)}` };
    const counted = createApi(connect({ kubeconfig: kubeconfig({ token }, through) }), options);
    for (let call = 0; call < 50; call += 1) await counted.get(resources.namespace, "default");
    expect(proxy.connections().total).toBeLessThanOrEqual(2);
    await proxy.stop();
  });

  it("takes a service account's new token from its file: after a minute, and at once when the old one is refused", async () => {
    const file = write("token", await serviceAccountToken("first"));
    let now = 0;
    const connection = connect({ kubeconfig: kubeconfig({ tokenFile: file }, ca), now: () => now });
    const asked = createApi(connection, options);
    expect(await whoAmI(asked)).toBe("system:serviceaccount:default:first");
    writeFileSync(file, `${await serviceAccountToken("second")}\n`);
    expect(await whoAmI(asked)).toBe("system:serviceaccount:default:first");
    now = 61_000;
    expect(await whoAmI(asked)).toBe("system:serviceaccount:default:second");
    writeFileSync(file, "worn out");
    now = 122_000;
    await expect(whoAmI(asked)).rejects.toMatchObject({ status: 401, reason: "Unauthorized" });
    writeFileSync(file, await serviceAccountToken("third"));
    observed.length = 0;
    expect(await whoAmI(asked)).toBe("system:serviceaccount:default:third");
    expect(observed.map(({ status }) => status)).toEqual([401, 201]);
  });

  it("shows a new client certificate once its files were replaced, and the old one while they do not fit together", async () => {
    const [ada, bob] = ["ada", "bob"].map((name) => people.issue({ name, use: "client" })) as [
      { cert: string; key: string },
      { cert: string; key: string },
    ];
    const user = { "client-certificate": write("c.crt", ada.cert), "client-key": write("c.key", ada.key) };
    let now = 0;
    const asked = createApi(connect({ kubeconfig: kubeconfig(user, ca), now: () => now }), options);
    expect(await whoAmI(asked)).toBe("ada");
    writeFileSync(user["client-certificate"], bob.cert);
    now = 5_000;
    expect(await whoAmI(asked)).toBe("ada");
    writeFileSync(user["client-key"], bob.key);
    now = 10_000;
    expect(await whoAmI(asked)).toBe("bob");
  });

  it("reads the authority anew when the server is not trusted", async () => {
    const file = write("other-ca.crt", createAuthority("Other").cert);
    const cluster = { server, "certificate-authority": file };
    const asked = createApi(connect({ kubeconfig: kubeconfig({ token }, cluster), now: () => 0 }), options);
    await expect(asked.get(resources.namespace, "default")).rejects.toMatchObject({
      status: 0,
      reason: "TlsFailed",
    });
    writeFileSync(file, certificateAuthority);
    expect(await asked.get(resources.namespace, "default")).toMatchObject({ metadata: { name: "default" } });
  });

  it("goes through a proxy of the kubeconfig, and under another name of the server", async () => {
    const { createServer } = await import("node:http");
    const { connect: dial } = await import("node:net");
    const tunnels: string[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      tunnels.push(request.url ?? "");
      const upstream = dial(Number(new URL(server).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as { port: number };
    const cluster = {
      ...ca,
      server: "https://cluster.example:6443",
      "tls-server-name": "kubernetes.default",
      "proxy-url": `http://127.0.0.1:${String(port)}`,
    };
    const connection = connect({ kubeconfig: kubeconfig({ token }, cluster) });
    expect(await whoAmI(createApi(connection, options))).toBe("admin");
    expect(tunnels).toEqual(["cluster.example:6443"]);
    await connection.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  it("acts as somebody else, and says what that one may not do", async () => {
    const user = {
      token,
      as: "system:serviceaccount:harvest:controller",
      "as-groups": ["system:authenticated"],
    };
    const asked = createApi(connect({ kubeconfig: kubeconfig(user, ca) }), options);
    await expect(
      asked.patch(resources.cronJob, "gis/x", {
        type: "application/merge-patch+json",
        manager: "m",
        body: {},
      }),
    ).rejects.toMatchObject({
      status: 403,
      reason: "Forbidden",
      message:
        "The service account harvest/controller may not patch cronjobs.batch in namespace gis: apply manifests/install, or give it that verb in a Role.",
    });
    await expect(
      asked.watch(resources.harvestSource, {
        resourceVersion: "1",
        timeoutSeconds: 1,
        signal: new AbortController().signal,
      }),
    ).rejects.toMatchObject({
      message:
        "The service account harvest/controller may not watch harvestsources.ingest.geoportal.io in the whole cluster: apply manifests/install, or give it that verb in a ClusterRole.",
    });
  });

  it("tells a missing kind from a missing object", async () => {
    expect(await api.get(resources.configMap, "default/none")).toBeUndefined();
    await expect(api.get(resources.harvestSource, "default/none")).rejects.toMatchObject({
      status: 404,
      reason: "KindNotServed",
    });
    await expect(api.list(resources.harvestSource)).rejects.toMatchObject({ reason: "KindNotServed" });
  });

  it("creates once, strictly", async () => {
    const made = await api.create(resources.configMap, configMap("created", { data: { a: "1" } }), "m");
    expect(made).toMatchObject({ kind: "ConfigMap", data: { a: "1" } });
    expect(made.metadata.managedFields?.[0]).toMatchObject({ manager: "m", operation: "Update" });
    await expect(api.create(resources.configMap, configMap("created"), "m")).rejects.toMatchObject({
      status: 409,
      reason: "AlreadyExists",
      message: "Did not create configmaps default/created: it is already there.",
    });
    await expect(api.create(resources.configMap, configMap("typo", { dta: {} }), "m")).rejects.toMatchObject({
      status: 400,
      reason: "BadRequest",
    });
  });

  it("applies, meets the fields of others, and takes them with force", async () => {
    await api.apply(resources.configMap, configMap("applied", { data: { a: "1" } }), { manager: "one" });
    const other = configMap("applied", { data: { a: "2" } });
    await expect(api.apply(resources.configMap, other, { manager: "two" })).rejects.toMatchObject({
      status: 409,
      reason: "Conflict",
      message:
        'Did not patch configmaps default/applied: others own the fields .data.a ("one"). Leave them out, or take them with force.',
    });
    const taken = await api.apply(resources.configMap, other, { manager: "two", force: true });
    expect(taken).toMatchObject({ data: { a: "2" } });
    const again = await api.apply(resources.configMap, other, { manager: "two", force: true });
    expect(again.metadata.resourceVersion).toBe(taken.metadata.resourceVersion);
  });

  it("does not repeat an apply with a field the server does not know", async () => {
    observed.length = 0;
    await expect(
      api.apply(resources.configMap, configMap("unknown", { dta: {} }), { manager: "m" }),
    ).rejects.toMatchObject({ status: 500, reason: "FieldUnknown" });
    expect(observed).toHaveLength(1);
  });

  it("only tries when asked for a dry run", async () => {
    const tried = await api.apply(resources.configMap, configMap("dry", { data: { a: "1" } }), {
      manager: "m",
      dryRun: true,
    });
    expect(tried).toMatchObject({ data: { a: "1" } });
    expect(await api.get(resources.configMap, "default/dry")).toBeUndefined();
  });

  it("deletes the object that was meant, and no other of its name", async () => {
    const first = await api.create(resources.configMap, configMap("doomed"), "m");
    await api.delete(resources.configMap, "default/doomed");
    const second = await api.create(resources.configMap, configMap("doomed"), "m");
    await api.delete(resources.configMap, "default/doomed", { uid: first.metadata.uid! });
    expect((await api.get(resources.configMap, "default/doomed"))?.metadata.uid).toBe(second.metadata.uid);
    await api.delete(resources.configMap, "default/doomed", { uid: second.metadata.uid! });
    expect(await api.get(resources.configMap, "default/doomed")).toBeUndefined();
    await api.delete(resources.configMap, "default/doomed");
  });

  it("hands on what the server warns of", async () => {
    warnings.length = 0;
    await api.patch(resources.configMap, "default/applied", {
      type: "application/merge-patch+json",
      manager: "m",
      body: { dta: { a: 1 } },
    });
    expect(warnings).toEqual(['unknown field "dta"']);
  });

  it("brings a CRD there and back with its rules, and its objects' status", async () => {
    const crd = parse(
      readFileSync(join(import.meta.dirname, "../../crds/ingest.geoportal.io_harvestsources.yaml"), "utf8"),
    ) as KubeObject;
    const applied = await api.apply(resources.customResourceDefinition, crd, { manager: "m", force: true });
    expect(schemaOf(applied)).toEqual(schemaOf(crd));
    expect(JSON.stringify(schemaOf(applied))).toContain('"x-kubernetes-validations"');
    await untilServed(api);
    const source = {
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      metadata: { name: "s", namespace: "default" },
      spec: { protocol: "oai-pmh", baseUrl: "ftp://h", metadataPrefix: "oai_dc", schedule: "0 * * * *" },
    };
    await expect(api.create(resources.harvestSource, source, "m")).rejects.toMatchObject({
      status: 422,
      reason: "Invalid",
    });
  });

  it("lists 1,200 objects in pages, and watches on from there", async () => {
    const names = Array.from({ length: 1_200 }, (_, i) => `many-${String(i).padStart(4, "0")}`);
    await post("/api/v1/namespaces", { metadata: { name: "many" } });
    await Promise.all(
      names.map((name) =>
        api.create(
          resources.configMap,
          configMap(name, { metadata: { name, namespace: "many", labels: { of: "many" } } }),
          "m",
        ),
      ),
    );
    observed.length = 0;
    const { items, resourceVersion } = await api.list(resources.configMap, { labelSelector: "of=many" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(items[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
    expect(observed.map(({ verb }) => verb)).toEqual(["list", "list", "list"]);

    const stop = new AbortController();
    const events = await api.watch(resources.configMap, {
      namespace: "many",
      labelSelector: "of=many",
      resourceVersion,
      timeoutSeconds: 60,
      signal: stop.signal,
    });
    await api.delete(resources.configMap, "many/many-0007");
    for await (const event of events) {
      expect(event).toMatchObject({
        type: "DELETED",
        object: { kind: "ConfigMap", metadata: { name: "many-0007" } },
      });
      break;
    }
    stop.abort();
  });

  // The last one: the server is another process afterwards.
  it("waits for a server that is being restarted", async () => {
    const { killApiServer, restartApiServer } = plane as ControlPlane;
    await killApiServer();
    const under = api.apply(resources.configMap, configMap("patient", { data: { a: "1" } }), {
      manager: "m",
    });
    const made = api.create(resources.configMap, configMap("patient-create"), "m");
    await restartApiServer();
    expect(await under).toMatchObject({ data: { a: "1" } });
    expect(await made).toMatchObject({ metadata: { name: "patient-create" } });
  });
});

function schemaOf(crd: KubeObject): unknown {
  return (crd["spec"] as { versions: { schema: unknown }[] }).versions[0]?.schema;
}

async function untilServed(api: ClusterApi): Promise<void> {
  for (;;) {
    try {
      await api.list(resources.harvestSource);
      return;
    } catch (error) {
      if ((error as { reason?: string }).reason !== "KindNotServed") throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

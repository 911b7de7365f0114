/**
 * The admission policies of manifests/install on a real API server, which judges them for the whole cluster: one of this
 * file's own, without controllers.
 */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fairUseConfigMap } from "../../source/bundle/fair-use-config-map.js";
import { admissionJudge, type AdmissionRequest } from "../../source/cel/admission-verdicts.js";
import { admissionPolicies } from "../../source/cel/rules.generated.js";
import { parseFairUse } from "../../source/fair-use.js";
import { fairUseCeiling } from "../../source/lint/fair-use-ceiling.js";
import { parseManifests } from "../../source/parse.js";
import { clusterHttp, type Answer, type Call } from "../setup/cluster-http.js";
import { startControlPlane } from "../setup/control-plane.js";

const plane = await startControlPlane({ parts: "api" });
const http = plane === undefined ? undefined : clusterHttp(plane);
const install = join(import.meta.dirname, "../../manifests/install");

afterAll(async () => {
  http?.close();
  await plane?.stop();
});

interface Wish {
  readonly name?: string;
  readonly namespace?: string;
  readonly baseUrl?: string;
  readonly maxRequests?: number;
  readonly suspend?: boolean;
}

function manifest({ name = "county", namespace = "harvest", ...wish }: Wish): object {
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name, namespace },
    spec: {
      baseUrl: wish.baseUrl ?? "https://a.example.org/oai",
      metadataPrefix: "oai_dc",
      schedule: "@daily",
      suspend: wish.suspend ?? false,
      concurrency: { maxRequests: wish.maxRequests ?? 1 },
    },
  };
}

function path(namespace: string, rest = ""): string {
  return `/apis/ingest.geoportal.io/v1/namespaces/${namespace}/harvestsources${rest}`;
}

/** Who delivers in these tests, unless they say otherwise: nothing is warned of. */
const flux = "system:serviceaccount:flux-system:kustomize-controller";

function as(user: string, groups: readonly string[] = []): Call["headers"] {
  // The rights of an administrator: what is asked here is admission alone.
  return {
    "impersonate-user": user,
    "impersonate-group": ["system:masters", ...groups] as unknown as string,
  };
}

function send(method: string, to: string, call: Call = {}): Promise<Answer> {
  return http!.send(method, to, { headers: as(flux), ...call });
}

function create(wish: Wish, options = "?dryRun=All"): Promise<Answer> {
  return send("POST", path(wish.namespace ?? "harvest", options), { body: manifest(wish) });
}

const merge = "application/merge-patch+json";

function patch(name: string, body: object, user = flux): Promise<Answer> {
  return send("PATCH", path("harvest", `/${name}?dryRun=All`), { body, type: merge, headers: as(user) });
}

/** Without what the server writes before it. */
function sentence({ json, text }: Answer): string {
  const message = String(json?.["message"] ?? text);
  return message.slice(message.indexOf("denied request: ") + "denied request: ".length);
}

function warnings({ headers }: Answer): readonly string[] {
  return [headers["warning"] ?? []].flat().map((each) => each.replaceAll("\\", ""));
}

async function must(args: readonly string[], input?: string): Promise<void> {
  const { code, stderr } = await plane!.kubectl(args, input === undefined ? {} : { input });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
}

/** Policies and their parameters are read through a cache: nothing is asked before what was written is in force. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 300; waited += 1) {
    if (await holds()) return;
    await wait(100);
  }
  throw new Error(`After 30 s still not so: ${what}`);
}

/** Validations of the policies for which both refused, as `policy 0`. */
const shown = new Set<string>();

/** What source/cel says a policy says of this request. */
function judged(policy: string, request: AdmissionRequest): readonly string[] {
  const found = admissionPolicies.find(({ name }) => name === policy)!;
  return admissionJudge(found)(request).map(({ message, validation }) => {
    shown.add(`${policy} ${String(validation)}`);
    return message;
  });
}

/** A source with its defaults, as the server hands it to a policy. */
function stored(body: object): object {
  const { sources, findings } = parseManifests(JSON.stringify(body), { file: "a.json", named: true });
  expect(findings).toEqual([]);
  return sources[0]!.source;
}

/** The ConfigMap of ceilings that is in force. */
let fairUseParams: object = {};

let generation = 0;

/** Writes the ceilings of a fair-use.yaml into the cluster and waits until they hold. */
async function ceilings(text: string, namespace = "harvest"): Promise<void> {
  generation += 1;
  const sentinel = `sentinel-${String(generation)}.example.org`;
  const { data } = fairUseConfigMap(parseFairUse(text, "rules/fair-use.yaml").fairUse!, namespace);
  await rawCeilings({ ...data, [sentinel]: "1" }, namespace);
  await until("the new ceilings are in force", async () => {
    const { status } = await create({ namespace, baseUrl: `https://${sentinel}/`, maxRequests: 200 });
    return status === 422;
  });
}

async function rawCeilings(data: Readonly<Record<string, string>>, namespace = "harvest"): Promise<void> {
  const metadata = { name: "harvest-fair-use", namespace };
  fairUseParams = { metadata, data };
  await must(
    ["replace", "--force", "-f", "-"],
    JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data }),
  );
}

beforeAll(async () => {
  if (plane === undefined) return;
  await must(["apply", "--server-side", "-k", install]);
  await must([
    "wait",
    "--for=condition=Established",
    "--timeout=30s",
    "crd/harvestsources.ingest.geoportal.io",
  ]);
  await until("the policies are in force", async () => (await create({ maxRequests: 200 })).status === 422);
});

interface Parity {
  readonly name: string;
  readonly wish: Wish;
  readonly refused: boolean;
}

const named =
  'hosts:\n  a.example.org: { maxRequests: 5 }\n  "[2001:db8::1]": { maxRequests: 3 }\n  10.1.2.3: { maxRequests: 2 }\n';
const files: readonly { readonly file: string; readonly text: string; readonly cases: readonly Parity[] }[] =
  [
    {
      file: "hosts and a default",
      text: `${named}default: { maxRequests: 4 }\n`,
      cases: [
        { name: "as much as allowed", wish: { maxRequests: 5 }, refused: false },
        { name: "one more", wish: { maxRequests: 6 }, refused: true },
        {
          name: "in capitals, with a port",
          wish: { baseUrl: "https://A.Example.ORG:8443/oai?x=1", maxRequests: 6 },
          refused: true,
        },
        {
          name: "with the port of the scheme",
          wish: { baseUrl: "http://a.example.org:80", maxRequests: 6 },
          refused: true,
        },
        {
          name: "another host, up to the default",
          wish: { baseUrl: "https://b.example.org/", maxRequests: 4 },
          refused: false,
        },
        {
          name: "another host, over the default",
          wish: { baseUrl: "https://b.example.org/", maxRequests: 5 },
          refused: true,
        },
        {
          name: "a name that only begins so",
          wish: { baseUrl: "https://a.example.org.evil.example/", maxRequests: 5 },
          refused: true,
        },
        {
          name: "a name below it",
          wish: { baseUrl: "https://x.a.example.org/", maxRequests: 5 },
          refused: true,
        },
        {
          name: "its name in the query of another",
          wish: { baseUrl: "https://b.example.org/?a.example.org", maxRequests: 5 },
          refused: true,
        },
        { name: "an IPv4 address", wish: { baseUrl: "http://10.1.2.3/oai", maxRequests: 3 }, refused: true },
        {
          name: "an IPv6 address, allowed",
          wish: { baseUrl: "https://[2001:db8::1]/oai", maxRequests: 3 },
          refused: false,
        },
        {
          name: "an IPv6 address, over",
          wish: { baseUrl: "https://[2001:db8::1]:8443/oai", maxRequests: 4 },
          refused: true,
        },
        {
          name: "an IPv6 address written out",
          wish: { baseUrl: "https://[2001:0DB8:0:0::1]/oai", maxRequests: 4 },
          refused: true,
        },
        {
          name: "another IPv6 address",
          wish: { baseUrl: "https://[2001:db8::2]/oai", maxRequests: 4 },
          refused: false,
        },
        { name: "paused, over", wish: { maxRequests: 200, suspend: true }, refused: false },
      ],
    },
    {
      file: "hosts without a default",
      text: named,
      cases: [
        { name: "a named host, over", wish: { maxRequests: 6 }, refused: true },
        {
          name: "a host nobody named",
          wish: { baseUrl: "https://b.example.org/", maxRequests: 256 },
          refused: false,
        },
      ],
    },
    {
      file: "a default alone",
      text: "default: { maxRequests: 2 }\n",
      cases: [
        { name: "up to it", wish: { maxRequests: 2 }, refused: false },
        { name: "over it", wish: { maxRequests: 3 }, refused: true },
      ],
    },
  ];

describe.skipIf(plane === undefined)("the ceilings in admission", () => {
  describe.each(files)("with $file", ({ text, cases }) => {
    beforeAll(() => ceilings(text));

    it.each(cases)("say the same as lint: $name", async ({ wish, refused }) => {
      const { sources, findings } = parseManifests(JSON.stringify(manifest(wish)), {
        file: "a.yaml",
        named: true,
      });
      expect(findings).toEqual([]);
      const { fairUse } = parseFairUse(text, "rules/fair-use.yaml");
      const context = {
        fairUse: fairUse!,
        prefixes: [],
        checkPolicyFile: () => ({ ok: true }) as const,
        now: new Date(0),
      };
      const lint = fairUseCeiling(sources, context).some(({ rule }) => rule === "fair-use/over-ceiling");
      const answer = await create(wish);
      expect({ lint, status: answer.status }).toEqual({ lint: refused, status: refused ? 422 : 201 });
      const cel = judged("harvest-fair-use", { object: sources[0]!.source, params: fairUseParams });
      expect(cel).toEqual(refused ? [sentence(answer)] : []);
    });
  });

  it("say which number, which ceiling, which host, and what to do", async () => {
    await ceilings("hosts: { metadata.state.example.gov: { maxRequests: 10 } }\n");
    const answer = await create({ baseUrl: "https://metadata.state.example.gov/oai", maxRequests: 50 });
    expect(sentence(answer)).toBe(
      "maxRequests 50 exceeds the fair-use ceiling 10 of metadata.state.example.gov: lower it, or agree a higher ceiling with the agency and write it into rules/fair-use.yaml",
    );
  });

  it("refuse an object that kubectl would apply, also in a dry run", async () => {
    const { code, stderr } = await plane!.kubectl(["apply", "--server-side", "--dry-run=server", "-f", "-"], {
      input: JSON.stringify(manifest({ baseUrl: "https://metadata.state.example.gov/oai", maxRequests: 11 })),
    });
    expect(code).toBe(1);
    expect(stderr).toContain("maxRequests 11 exceeds the fair-use ceiling 10 of metadata.state.example.gov");
  });

  it.each(["4.5", "-1", "many", "0x10", " 5", "99999999999999999999"])(
    "say so when a ceiling is no number: %s",
    async (value) => {
      await rawCeilings({ "broken.example.org": value });
      let answer: Answer | undefined;
      await until("the broken value is read", async () => {
        answer = await create({ baseUrl: "https://broken.example.org/" });
        return answer.status === 422 && sentence(answer).includes(`'${value}'`);
      });
      expect(sentence(answer!)).toBe(
        `the ceiling of broken.example.org in ConfigMap harvest/harvest-fair-use is '${value}', which is no whole number: write the ConfigMap anew with harvestctl bundle --fair-use`,
      );
      const object = stored(manifest({ baseUrl: "https://broken.example.org/" }));
      expect(judged("harvest-fair-use", { object, params: fairUseParams })).toEqual([sentence(answer!)]);
      // Of other hosts nothing is known to be wrong.
      expect((await create({ baseUrl: "https://whole.example.org/" })).status).toBe(201);
    },
  );

  it("judge what is changed, and let alone what only stands there", async () => {
    await ceilings("default: { maxRequests: 9 }\n");
    expect((await create({ name: "old", maxRequests: 9 }, "")).status).toBe(201);
    await ceilings("default: { maxRequests: 3 }\n");
    const changes: readonly (readonly [string, object, number])[] = [
      ["the brake", { metadata: { annotations: { "ingest.geoportal.io/paused": "WAF" } } }, 200],
      ["a finalizer", { metadata: { finalizers: ["ingest.geoportal.io/finalizer"] } }, 200],
      ["a pause in spec", { spec: { suspend: true } }, 200],
      ["a lower number", { spec: { concurrency: { maxRequests: 3 } } }, 200],
      ["another schedule", { spec: { schedule: "@weekly" } }, 422],
      ["a number that is lower, but not low enough", { spec: { concurrency: { maxRequests: 4 } } }, 422],
    ];
    const seen = await Promise.all(
      changes.map(async ([name, body]) => [name, (await patch("old", body)).status]),
    );
    expect(seen).toEqual(changes.map(([name, , status]) => [name, status]));
    const oldObject = stored(manifest({ name: "old", maxRequests: 9 }));
    const cel = changes.map(([name, body]) => {
      const object = merged(oldObject, body) as object;
      return [name, judged("harvest-fair-use", { object, oldObject, params: fairUseParams }).length > 0];
    });
    expect(cel).toEqual(changes.map(([name, , status]) => [name, status === 422]));
    const status = await send("PATCH", path("harvest", "/old/status"), {
      body: { status: { observedGeneration: 1 } },
      type: merge,
    });
    expect(status.status).toBe(200);
  });

  it("refuse nothing when there is no file of ceilings, as lint does not", async () => {
    await must(["-n", "harvest", "delete", "configmap", "harvest-fair-use"]);
    await until("the ConfigMap has gone", async () => (await create({ maxRequests: 256 })).status === 201);
    await rawCeilings({});
    expect((await create({ maxRequests: 256 })).status).toBe(201);
  });
});

/** A merge patch, as the server applies it (RFC 7396, without removals). */
function merged(below: unknown, above: unknown): unknown {
  if (typeof above !== "object" || above === null || Array.isArray(above)) return above;
  const fields = (below ?? {}) as Readonly<Record<string, unknown>>;
  const changed = Object.entries(above).map(([name, value]) => [name, merged(fields[name], value)] as const);
  return { ...fields, ...Object.fromEntries(changed) };
}

const alice = "alice@example.org";
const warningStart =
  "Validation failed for ValidatingAdmissionPolicy 'harvest-delivery' with binding 'harvest-delivery': ";
function warningTo(user: string): string {
  return `${warningStart}${user} changes the spec of HarvestSource county, which is delivered from Git: change the manifest there, or name the account in ConfigMap harvest/harvest-delivery`;
}

describe.skipIf(plane === undefined)("the delivery in admission", () => {
  beforeAll(async () => {
    await ceilings("default: { maxRequests: 9 }\n");
    expect((await create({ name: "delivered" }, "")).status).toBe(201);
    await accounts({
      usernames: `${flux}\n\n   system:serviceaccount:argocd:argocd-application-controller  \r\nmerge-bot`,
      groups: "geo:release\n",
    });
  });

  /** The ConfigMap of accounts that is in force. */
  let params: object = {};

  async function accounts(data: object): Promise<void> {
    const metadata = { name: "harvest-delivery", namespace: "harvest" };
    params = { metadata, data };
    await must(
      ["apply", "--server-side", "--force-conflicts", "-f", "-"],
      JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data }),
    );
    await until("the accounts are known", async () => {
      const answer = await send("POST", path("harvest", "?dryRun=All"), {
        body: manifest({}),
        headers: as("merge-bot"),
      });
      return warnings(answer).length === 0;
    });
  }

  const writers: readonly {
    readonly name: string;
    readonly user: string;
    readonly groups?: readonly string[];
    readonly warned: boolean;
  }[] = [
    { name: "Flux", user: flux, warned: false },
    {
      name: "Argo CD, in a line with blanks",
      user: "system:serviceaccount:argocd:argocd-application-controller",
      warned: false,
    },
    { name: "a named account", user: "merge-bot", warned: false },
    { name: "a member of a named group", user: "carol", groups: ["geo:release"], warned: false },
    {
      name: "the controller itself",
      user: "system:serviceaccount:harvest:harvest-controller",
      warned: false,
    },
    {
      name: "an account of that name elsewhere",
      user: "system:serviceaccount:geo:harvest-controller",
      warned: true,
    },
    { name: "a person", user: alice, warned: true },
    { name: "a name that only begins so", user: "merge-bot-2", warned: true },
    { name: "a group that only begins so", user: "dave", groups: ["geo:release-readers"], warned: true },
  ];

  it.each(writers)("lets $name write, and warns: $warned", async ({ user, groups, warned }) => {
    const answer = await send("POST", path("harvest", "?dryRun=All"), {
      body: manifest({}),
      headers: as(user, groups),
    });
    expect(answer.status).toBe(201);
    const said = warnings(answer);
    expect(said.length).toBe(warned ? 1 : 0);
    if (warned) expect(said[0]).toContain(warningTo(user));
    const userInfo = { username: user, groups: ["system:masters", ...(groups ?? [])] };
    const cel = judged("harvest-delivery", { object: stored(manifest({})), params, userInfo });
    expect(cel.map((message) => `${warningStart}${message}`)).toEqual(warned ? [warningTo(user)] : []);
  });

  const edits: readonly { readonly name: string; readonly body: object; readonly warned: boolean }[] = [
    { name: "spec", body: { spec: { suspend: true } }, warned: true },
    { name: "spec to what it is", body: { spec: { suspend: false } }, warned: false },
    {
      name: "the brake",
      body: { metadata: { annotations: { "ingest.geoportal.io/paused": "WAF" } } },
      warned: false,
    },
    { name: "a label", body: { metadata: { labels: { team: "geo" } } }, warned: false },
    {
      name: "a finalizer",
      body: { metadata: { finalizers: ["ingest.geoportal.io/finalizer"] } },
      warned: false,
    },
  ];

  it.each(edits)("warns a person who changes $name: $warned", async ({ body, warned }) => {
    const answer = await patch("delivered", body, alice);
    expect({ status: answer.status, warned: warnings(answer).length > 0 }).toEqual({ status: 200, warned });
    const oldObject = stored(manifest({ name: "delivered" }));
    const object = merged(oldObject, body) as object;
    const cel = judged("harvest-delivery", { object, oldObject, params, userInfo: { username: alice } });
    expect(cel.length > 0).toBe(warned);
  });

  it("refuses instead when the binding says Deny, and still lets the brake and status through", async () => {
    const deny = { spec: { validationActions: ["Deny", "Audit"] } };
    await must([
      "patch",
      "validatingadmissionpolicybinding",
      "harvest-delivery",
      "--type=merge",
      "-p",
      JSON.stringify(deny),
    ]);
    await until(
      "the binding refuses",
      async () => (await patch("delivered", { spec: { suspend: true } }, alice)).status === 403,
    );
    const refused = await patch("delivered", { spec: { suspend: true } }, alice);
    expect(sentence(refused)).toBe(
      `${alice} changes the spec of HarvestSource delivered, which is delivered from Git: change the manifest there, or name the account in ConfigMap harvest/harvest-delivery`,
    );
    const statuses = await Promise.all([
      patch("delivered", { metadata: { annotations: { "ingest.geoportal.io/paused": "WAF" } } }, alice),
      patch("delivered", { spec: { suspend: true } }),
      patch("delivered", { spec: { suspend: true } }, "system:serviceaccount:harvest:harvest-controller"),
      send("PATCH", path("harvest", "/delivered/status"), {
        body: { status: { records: 1 } },
        type: merge,
        headers: as(alice),
      }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(
      (await send("DELETE", path("harvest", "/delivered?dryRun=All"), { headers: as(alice) })).status,
    ).toBe(200);
  });
});

describe.skipIf(plane === undefined)("every validation of the policies", () => {
  it("was refused by the server and by source/cel in one of the cases above", () => {
    const all = admissionPolicies.flatMap(({ name, validations }) =>
      validations.map((_, i) => `${name} ${String(i)}`),
    );
    expect(all.filter((validation) => !shown.has(validation))).toEqual([]);
  });
});

describe.skipIf(plane === undefined)("a controller for all namespaces", () => {
  it("has one file of ceilings for all of them, which nobody raises in a namespace of their own", async () => {
    // Its actions are a set of which another manager owns a part now: an apply would join both.
    await must(["delete", "validatingadmissionpolicybinding", "harvest-delivery"]);
    await must(["apply", "--server-side", "-k", join(install, "overlays/cluster-wide")]);
    await must(["create", "namespace", "geo"]);
    await ceilings("default: { maxRequests: 3 }\n", "harvest-system");
    await must(["-n", "geo", "create", "configmap", "harvest-fair-use", "--from-literal=_default=200"]);
    await until("the bindings look beside the controller", async () => {
      const answer = await create({ namespace: "geo", maxRequests: 4 });
      return answer.status === 422 && sentence(answer).includes("ceiling 3 of a.example.org");
    });
    expect((await create({ namespace: "geo", maxRequests: 3 })).status).toBe(201);
    const controller = "system:serviceaccount:harvest-system:harvest-controller";
    const own = await send("POST", path("geo", "?dryRun=All"), {
      body: manifest({ namespace: "geo" }),
      headers: as(controller),
    });
    expect(warnings(own)).toEqual([]);
  });
});

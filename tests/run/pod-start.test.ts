/** Everything that keeps a pod from beginning ends with a code, and a message for people: what, where, why, what next. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packBundle } from "../../source/bundle/pack-bundle.js";
import { createDatabase, testPostgres, type TestDatabase } from "../setup/postgres.js";
import { pod, smallPolicy, type Pod } from "./pod.js";

const url = "http://127.0.0.1:9/oai";
const SECRET = "SECRETPW";

let here: Pod;
beforeEach(() => {
  here = pod();
  here.manifest(url);
  here.bundle();
});
afterEach(() => {
  here.remove();
});

interface Row {
  readonly name: string;
  /** What is wrong with the mounts; returns what is wrong with the environment. */
  readonly given: (pod: Pod) => Readonly<Record<string, string>> | undefined;
  readonly code: number;
  readonly reason: string;
  readonly says: string;
  readonly next: string;
}

const rows: readonly Row[] = [
  {
    name: "no manifest",
    given: (p) => ({ HARVEST_MANIFEST: join(p.dir, "none.yaml") }),
    code: 78,
    reason: "BadManifest",
    says: "none.yaml cannot be read",
    next: "Lint the manifest",
  },
  {
    name: "a manifest with an unknown field",
    given: (p) => {
      p.manifest(url, { suspnd: true });
      return undefined;
    },
    code: 78,
    reason: "BadManifest",
    says: "HarvestSource has no field spec.suspnd",
    next: "Lint the manifest",
  },
  {
    name: "the key of another source",
    given: () => ({ HARVEST_SOURCE_KEY: "geo/other" }),
    code: 78,
    reason: "BadSourceKey",
    says: 'HARVEST_SOURCE_KEY is "geo/other", but the manifest is of scene.',
    next: "namespace/name",
  },
  {
    name: "no bundle",
    given: (p) => ({ HARVEST_BUNDLE: join(p.dir, "none") }),
    code: 78,
    reason: "BundleMissing",
    says: "none/policy.json.gz cannot be read: there is no such file or folder.",
    next: "Check that the ConfigMap of the bundle is in this namespace",
  },
  {
    name: "a bundle that is damaged",
    given: (p) => {
      p.write("bundle/policy.json.gz", "PK");
      return undefined;
    },
    code: 78,
    reason: "BundleUnreadable",
    says: "policy.json.gz: The bundle is no gzip, or is damaged",
    next: "Write the bundle anew with harvestctl bundle",
  },
  {
    name: "another bundle than was meant: both digests",
    given: () => ({ HARVEST_BUNDLE_DIGEST: "0".repeat(64) }),
    code: 78,
    reason: "BundleUntrue",
    says: `should have the digest ${"0".repeat(64)}, but its files have ${packBundle(smallPolicy()).digest}`,
    next: "deliver it together with what names its digest",
  },
  {
    name: "a policy root in use",
    given: (p) => {
      p.write("policy/rules/mine.sch", "");
      return undefined;
    },
    code: 78,
    reason: "BundleRoot",
    says: "policy already holds rules/mine.sch, which is no file of the policy bundle.",
    next: "must be an empty folder of its own",
  },
  {
    name: "a link in the policy root",
    given: (p) => {
      mkdirSync(join(p.dir, "policy/rules"), { recursive: true });
      symlinkSync("/etc/passwd", join(p.dir, "policy/rules/oai-dc-rules.sch"));
      return undefined;
    },
    code: 78,
    reason: "BundleRoot",
    says: "already holds rules/oai-dc-rules.sch, which is no file of the policy bundle.",
    next: "must be an empty folder of its own",
  },
  {
    name: "a policy root that is a file",
    given: (p) => ({ HARVEST_ROOT: p.write("file", "") }),
    code: 78,
    reason: "BundleRoot",
    says: "file: it, or a part of its path, is no folder.",
    next: "Mount a writable empty folder there (emptyDir)",
  },
  {
    name: "a policy root nobody may write",
    given: () => ({ HARVEST_ROOT: "/proc/harvest" }),
    code: 78,
    reason: "BundleRoot",
    says: "cannot be unpacked into /proc/harvest: there is no such file or folder.",
    next: "Mount a writable empty folder there (emptyDir)",
  },
  {
    name: "no file of the database's URL",
    given: (p) => ({ HARVEST_DATABASE_URL_FILE: join(p.dir, "none") }),
    code: 78,
    reason: "DatabaseUrlFile",
    says: "none, cannot be read (ENOENT).",
    next: "Check that the Secret with the database's URL exists",
  },
  {
    name: "an empty file of the database's URL",
    given: (p) => ({ HARVEST_DATABASE_URL_FILE: p.write("url", " \n") }),
    code: 78,
    reason: "DatabaseUrlFile",
    says: "url, is empty.",
    next: "Check that the Secret with the database's URL exists",
  },
  {
    name: "a database URL that is none",
    given: (p) => ({ HARVEST_DATABASE_URL_FILE: p.write("url", `mysql://u:${SECRET}@db/x`) }),
    code: 78,
    reason: "BadDatabaseUrl",
    says: "DATABASE_URL is not a PostgreSQL URL.",
    next: "Write it as postgres://",
  },
  {
    name: "a database that is down",
    given: (p) => ({
      HARVEST_DATABASE_URL_FILE: p.write("url", `postgres://u:${SECRET}@127.0.0.1:9/catalogue\n`),
    }),
    code: 74,
    reason: "DatabaseDown",
    says: "The database 127.0.0.1:9/catalogue: nothing listens there",
    next: "nothing committed is lost",
  },
];

const rowsWithStore: readonly Row[] = [
  {
    name: "a schema that is not in the bundle",
    given: (p) => {
      p.bundle(new Map([...smallPolicy()].filter(([path]) => path !== "schemas/oai_dc.xsd")));
      return undefined;
    },
    code: 78,
    reason: "PolicyFile",
    says: "The policy file schemas/oai_dc.xsd cannot be opened: there is no such file.",
    next: "harvestctl lint checks all policy files",
  },
  {
    name: "ceilings that cannot be read",
    given: (p) => {
      p.bundle(smallPolicy().set("rules/fair-use.yaml", Buffer.from("default: 4\n")));
      return undefined;
    },
    code: 78,
    reason: "BadFairUse",
    says: "rules/fair-use.yaml:1: default must be object.",
    next: "maxRequests",
  },
];

/** Says code, sentence and remedy in message and log, and no secret. */
async function demandFailure(row: Row, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { given, code, reason, says, next } = row;
  const ended = await here.run({ ...env, ...given(here) });
  expect(ended.message).toMatchObject({ outcome: "failed", exitCode: code, code: reason });
  expect({ ...ended.message }).toHaveProperty("message", expect.stringContaining(says));
  expect({ ...ended.message }).toHaveProperty("remedy", expect.stringContaining(next));
  expect(ended.code).toBe(code);
  expect(ended.messageBytes).toBeLessThanOrEqual(4096);
  expect(ended.all).not.toContain(SECRET);
  expect(JSON.stringify(ended.message)).not.toContain(SECRET);
  // The log says the same, as the last line.
  expect(JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    event: "failed",
    code: reason,
  });
}

describe("a pod that cannot begin", () => {
  it.each(rows)("$name", (row) => demandFailure(row));

  it("a withdrawal says the same, and how far it came", async () => {
    const ended = await here.run({ HARVEST_DATABASE_URL_FILE: join(here.dir, "none") }, "withdraw");
    expect(ended.message).toMatchObject({
      task: "withdraw",
      withdrawn: 0,
      outcome: "failed",
      exitCode: 78,
      code: "DatabaseUrlFile",
    });
    const down = here.write("url", `postgres://u:${SECRET}@127.0.0.1:9/catalogue`);
    const failed = await here.run({ HARVEST_DATABASE_URL_FILE: down }, "withdraw");
    expect([failed.code, failed.message?.["code"]]).toEqual([74, "DatabaseDown"]);
    expect(failed.all).not.toContain(SECRET);
  });
});

const server = await testPostgres();

describe.skipIf(server === undefined)("a pod that has opened its store", () => {
  let database: TestDatabase;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    database = await createDatabase(server!);
    env = { DATABASE_URL: database.url };
  });
  afterAll(async () => {
    await database.drop();
    await server?.stop();
  });

  it.each(rowsWithStore)("$name", (row) => demandFailure(row, env));

  const https = "https://127.0.0.1:9/oai";
  const transport = { allowPrivateNetwork: true };

  it.each([
    {
      name: "client certificate",
      spec: { transport: { ...transport, mtls: true } },
      says: "secrets/scene-client-cert/tls.crt cannot be read (ENOENT).",
    },
    {
      name: "authority",
      spec: { transport: { ...transport, caSecretName: "agency-ca" } },
      says: "secrets/agency-ca/ca.crt cannot be read (ENOENT).",
    },
    {
      name: "headers",
      spec: { transport: { ...transport, headersSecretName: "agency-key" } },
      says: "secrets/agency-key cannot be read (ENOENT).",
    },
  ])("no $name: names the file, and asks nothing of anybody", async ({ spec, says }) => {
    here.manifest(https, spec);
    const { code, message } = await here.run(env);
    expect(message).toMatchObject({ outcome: "failed", exitCode: 78, code: "SecretUnreadable" });
    expect({ ...message }).toHaveProperty("message", expect.stringContaining(says));
    expect(message).toHaveProperty("remedy", expect.stringContaining("that the secret is mounted"));
    expect(code).toBe(78);
  });

  it("half of OAI_CLIENT_CERT and OAI_CLIENT_KEY", async () => {
    here.manifest(https, { transport: { ...transport, mtls: true } });
    const { message } = await here.run({ ...env, OAI_CLIENT_CERT: here.write("c.pem", "") });
    expect(message).toMatchObject({ exitCode: 78, code: "ClientCertIncomplete" });
  });

  it("lays the bundle out as files, readable by the next container too", async () => {
    const digest = here.bundle();
    // Refused at the endpoint, so after the policy was loaded.
    for (const attempt of ["first", "again"]) {
      const { message } = await here.run({ ...env, HARVEST_BUNDLE_DIGEST: digest });
      expect([attempt, message]).toMatchObject([
        attempt,
        { code: "ConnectionRefused", bundleDigest: digest },
      ]);
    }
    for (const [path, bytes] of smallPolicy())
      expect(readFileSync(join(here.dir, "policy", path)).equals(bytes)).toBe(true);
  });

  it("mends what a container that was killed left half written", async () => {
    here.write("policy/schemas/oai_dc.xsd", "<xs:sche");
    chmodSync(join(here.dir, "policy/schemas"), 0o700);
    const { message } = await here.run(env);
    expect(message).toMatchObject({ code: "ConnectionRefused" });
  });
});

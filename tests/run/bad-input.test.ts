/** Everything a person can get wrong around a run ends with a sentence: the thing, its place, the remedy, and the documented code. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ServerFault } from "../../cli/sandbox/sandbox.js";
import { startSandbox, type Sandbox } from "../../cli/sandbox/sandbox.js";
import { selfSigned } from "../setup/certificates.js";
import { startBannerServer, type FaultServer } from "../setup/fault-server.js";
import { noPostgres, premises } from "./premises.js";
import { harvestctl, workplace, type Workplace } from "./program.js";
import { manifestOf } from "./scene.js";

const good = JSON.stringify(manifestOf("http://127.0.0.1:9/oai"), null, 2);

describe("manifests", () => {
  let place: Workplace;
  beforeAll(() => {
    place = workplace();
    place.write(
      "rules/broken.xsd",
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a" type="no"/></xs:schema>`,
    );
    place.write(
      "rules/broken.sch",
      `<schema xmlns="http://purl.oclc.org/dsdl/schematron">\n<pattern><rule context="/"><assert test="a ((">x</assert></rule></pattern></schema>`,
    );
    place.write("rules/cut.xsd", `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">`);
  });
  afterAll(() => {
    place.remove();
  });

  const rows = [
    {
      name: "not YAML",
      text: "a: [b\n c: {",
      says: "m.yaml:1:5: This line is neither 'field: value' nor a list item.",
    },
    { name: "empty", text: "", says: "m.yaml:1:1: The file is empty: it holds no manifest." },
    {
      name: "a list",
      text: "- a\n",
      says: "m.yaml:1:1: The document is a list; a manifest is a map that begins with apiVersion and kind.",
    },
    {
      name: "of another kind",
      text: "{kind: ConfigMap, apiVersion: v1, metadata: {name: x}}",
      says: "m.yaml:1:8: This document is a ConfigMap, not a HarvestSource",
    },
    {
      name: "with a wrong type",
      text: good.replace('"schedule"', '"suspend": "yes", "schedule"'),
      says: 'm.yaml:10:16: spec.suspend is the text "yes"; it must be true or false.',
    },
    {
      name: "with an unknown field",
      text: good.replace('"schedule"', '"suspnd": true, "schedule"'),
      says: "Did you mean suspend?",
    },
    { name: "that is not there", text: undefined, says: "m.yaml could not be read: there is no such file" },
    {
      name: "naming a schema that is not there",
      text: good.replace("schemas/oai_dc.xsd", "schemas/none.xsd"),
      says: "The policy file schemas/none.xsd cannot be opened: there is no such file.",
    },
    {
      name: "naming a schema that does not compile",
      text: good.replace("schemas/oai_dc.xsd", "rules/broken.xsd"),
      says: "rules/broken.xsd:1: The schema cannot be compiled: element decl. 'a', attribute 'type'",
    },
    {
      name: "naming a schema that is cut in the middle",
      text: good.replace("schemas/oai_dc.xsd", "rules/cut.xsd"),
      says: "rules/cut.xsd:1: The file is not well-formed XML",
    },
    {
      name: "naming a rule set with a broken expression",
      text: good.replace("rules/oai-dc-rules.sch", "rules/broken.sch"),
      says: 'rules/broken.sch:2: The expression "a ((" cannot be used',
    },
  ];

  it.each(rows)("a manifest $name ends a dry run before any request", async ({ text, says }) => {
    const path = text === undefined ? "gone/m.yaml" : place.write("m.yaml", text);
    const { code, all } = await harvestctl(["dry-run", "--source", path, "--live", "--threads", "1"], place);
    expect(all).toContain(says);
    // Before there is a manifest nothing could be tried (2); one that names unusable files would fail (1).
    expect(code).toBe(says.includes("m.yaml") || says.includes("Did you mean") ? 2 : 1);
  });

  it("a run with a manifest that cannot be used ends with 78", async () => {
    place.write("m.yaml", good.replace('"schedule"', '"suspnd": true, "schedule"'));
    const { code, stderr, stdout } = await harvestctl(["run", "--source", "m.yaml"], place);
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toMatch(
      /^error {2}m\.yaml:10:5: HarvestSource has no field spec\.suspnd\.\n {7}Did you mean suspend\?/,
    );
  });

  it("a missing option says which, and where help is", async () => {
    const { code, stderr } = await harvestctl(["run"], place);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "error  Missing required flag source\n       See harvestctl run --help.\n",
    });
  });
});

describe.skipIf(noPostgres)("endpoints", () => {
  const here = premises({ gzip: false });
  let banner: FaultServer;
  let untrusted: Sandbox;
  beforeAll(async () => {
    const { cert, key } = selfSigned({ name: "localhost" });
    const [certFile, keyFile] = [join(here.place.cwd, "server.crt"), join(here.place.cwd, "server.key")];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    untrusted = await startSandbox({ source: { kind: "generated", count: 1 }, tls: { certFile, keyFile } });
    banner = await startBannerServer("SSH-2.0-OpenSSH_9.6\r\n");
  });
  afterAll(async () => {
    await banner.close();
    await untrusted.close();
  });
  afterEach(() => {
    here.sandbox.control.disarm();
  });

  interface Row {
    readonly name: string;
    readonly url: () => string;
    readonly arm?: ServerFault;
    readonly spec?: Parameters<Workplace["manifest"]>[1];
    readonly code: number;
    readonly says: string;
    readonly next: string;
  }

  const rows: readonly Row[] = [
    {
      name: "unknown-host",
      url: () => "https://no-such-host.invalid/oai",
      code: 69,
      says: "The host no-such-host.invalid is not known",
      next: "Check the host in spec.baseUrl",
    },
    {
      name: "refused",
      url: () => "http://127.0.0.1:9/oai",
      code: 69,
      says: "127.0.0.1:9 refused the connection: nothing listens there.",
      next: "Check host and port in spec.baseUrl",
    },
    {
      name: "not-tls",
      url: () => here.sandbox.url.replace("http:", "https:"),
      code: 69,
      says: "does not speak TLS on this port, although the address says https.",
      next: "Check the port",
    },
    {
      name: "untrusted",
      url: () => untrusted.url,
      code: 69,
      says: "is self-signed (issued by localhost for localhost, valid until ",
      next: "put its authority's certificate (ca.crt) into the secret named by spec.transport.caSecretName",
    },
    {
      name: "another-protocol",
      url: () => `${banner.origin}/oai`,
      code: 69,
      says: "answers, but not in HTTP: 'SSH-2.0-OpenSSH_9.6'.",
      next: "Check the port in spec.baseUrl.",
    },
    {
      name: "private-address",
      url: () => here.sandbox.url,
      spec: { transport: { minTlsVersion: "1.2" } },
      code: 78,
      says: "127.0.0.1 is a loopback address (this machine): requests to it are refused.",
      next: "set spec.transport.allowPrivateNetwork: true",
    },
    {
      name: "html",
      url: () => `${here.sandbox.url}?html=1`,
      arm: { kind: "html-page", times: 0 },
      code: 75,
      says: "answered with a login page (HTTP 200). (3 attempts)",
      next: "Set credentials in spec.transport",
    },
    {
      name: "empty-body",
      url: () => `${here.sandbox.url}?empty=1`,
      arm: { kind: "empty-body", times: 0 },
      code: 75,
      says: "answered with nothing at all (HTTP 200). (3 attempts)",
      next: "Open spec.baseUrl?verb=Identify in a browser",
    },
    {
      name: "ten-gigabytes",
      url: () => here.sandbox.url,
      arm: { kind: "endless-body", verb: "ListRecords", times: 0 },
      spec: { limits: { maxPageBytes: 1_000_000, maxRecordBytes: 100_000 } },
      code: 65,
      says: "is longer than the 1000000 bytes allowed.",
      next: "raise spec.limits.maxPageBytes",
    },
  ];

  it.each(rows)("$name: says what, where and what next, and ends with $code", async (row) => {
    if (row.arm !== undefined) here.sandbox.control.arm(row.arm);
    const path = here.place.manifest(row.url(), row.spec, row.name);
    const { code, stdout } = await here.run(["run", "--source", path, "--threads", "1"]);
    expect(stdout).toContain(row.says);
    expect(stdout).toContain(row.next);
    expect(stdout).toMatch(/^\S+: (FAILED|INCOMPLETE)/);
    expect(code).toBe(row.code);
  });
});

describe("databases", () => {
  let place: Workplace;
  beforeAll(() => {
    place = workplace();
    place.write("m.yaml", good);
  });
  afterAll(() => {
    place.remove();
  });

  it.each([
    {
      url: "postgres://harvest:SECRETPW@127.0.0.1:9/catalogue",
      code: 74,
      says: "The database 127.0.0.1:9/catalogue: nothing listens there",
    },
    { url: "mysql://SECRETPW@127.0.0.1/x", code: 78, says: "DATABASE_URL is not a PostgreSQL URL." },
  ])("a database that is down or no database ends with $code, and no password is shown", async (row) => {
    const env = { DATABASE_URL: row.url };
    const { code, all } = await harvestctl(["run", "--source", "m.yaml"], { ...place, env });
    expect(code).toBe(row.code);
    expect(all).toContain(row.says);
    expect(all).not.toContain("SECRETPW");
    expect((await harvestctl(["status", "--json"], { ...place, env })).all).not.toContain("SECRETPW");
  });
});

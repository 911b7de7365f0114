/** A repository that wants a client certificate, under an authority of its own: from the manifest to the database. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../cli/sandbox/sandbox.js";
import { createAuthority, type MadeCertificate } from "../setup/certificates.js";
import { noPostgres, premises } from "./premises.js";

describe.skipIf(noPostgres)("C90 mutual TLS", () => {
  const here = premises();
  let agency: Sandbox;

  function secret(name: string, files: Readonly<Record<string, string>>): void {
    const folder = join(here.place.cwd, "secrets", name);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  }

  function pair({ cert, key }: MadeCertificate): Readonly<Record<string, string>> {
    return { "tls.crt": cert, "tls.key": key };
  }

  beforeAll(async () => {
    const authority = createAuthority("Agency Authority");
    const server = authority.issue({ name: "localhost" });
    secret("server", { ...pair(server), "ca.crt": authority.cert });
    secret("agency-ca", { "ca.crt": authority.cert });
    secret("good-client-cert", pair(authority.issue({ name: "harvester.example", use: "client" })));
    secret("stranger", pair(createAuthority("Strangers").issue({ name: "stranger", use: "client" })));
    const at = (file: string): string => join(here.place.cwd, "secrets/server", file);
    agency = await startSandbox({
      source: { kind: "generated", count: 30 },
      tls: {
        certFile: at("tls.crt"),
        keyFile: at("tls.key"),
        caFile: at("ca.crt"),
        clientCertificate: "require",
        minVersion: "TLSv1.3",
      },
    });
  });
  afterAll(() => agency.close());

  function manifest(name: string, transport: Readonly<Record<string, unknown>> = {}): string {
    const url = agency.url.replace("127.0.0.1", "localhost");
    const base = { mtls: true, caSecretName: "agency-ca", allowPrivateNetwork: true, minTlsVersion: "1.3" };
    return here.place.manifest(url, { transport: { ...base, ...transport } }, name);
  }

  function run(path: string, env: Readonly<Record<string, string>> = {}) {
    return here.run(["run", "--source", path, "--secrets", "secrets", "--threads", "1"], env);
  }

  it("takes the certificate from the secret <name>-client-cert and is known by it", async () => {
    const { code, stdout } = await run(manifest("good"));
    expect({ code, new: /new +(\d+)/.exec(stdout)?.[1] }).toEqual({ code: 0, new: "30" });
    expect(new Set(agency.control.requests().last.map((r) => r.clientName))).toEqual(
      new Set(["harvester.example"]),
    );
  });

  it("takes OAI_CLIENT_CERT and OAI_CLIENT_KEY", async () => {
    const env = {
      OAI_CLIENT_CERT: "secrets/good-client-cert/tls.crt",
      OAI_CLIENT_KEY: "secrets/good-client-cert/tls.key",
    };
    expect((await run(manifest("by-environment"), env)).code).toBe(0);
  });

  it("a certificate of strangers is denied: 77, with whom to ask", async () => {
    const path = manifest("strange", { clientCertificate: { secretName: "stranger" } });
    const { code, stdout } = await run(path);
    expect(stdout).toContain("(ClientCertRejected)");
    expect(code).toBe(77);
  });

  it("no certificate where one is wanted is denied: 77, with what to set", async () => {
    const { code, stdout } = await run(manifest("naked", { mtls: false }));
    expect(stdout).toContain("spec.transport.mtls: true");
    expect(code).toBe(77);
  });

  it("a secret that is not there is a fault of the configuration: 78, with the file", async () => {
    const { code, stdout } = await run(manifest("no-secret"));
    expect(stdout).toContain("secrets/no-secret-client-cert/tls.crt cannot be read (ENOENT).");
    expect(code).toBe(78);
  });

  it("without the private authority the server is not trusted: 69, with where to put it", async () => {
    const path = here.place.manifest(
      agency.url.replace("127.0.0.1", "localhost"),
      {
        transport: {
          mtls: true,
          clientCertificate: { secretName: "good-client-cert" },
          allowPrivateNetwork: true,
        },
      },
      "no-authority",
    );
    const { code, stdout } = await run(path);
    expect(stdout).toContain("spec.transport.caSecretName");
    expect(code).toBe(69);
  });
});

import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadTransportMaterial, transportMaterial } from "../../harvester/fetch/material.js";
import { createAuthority, inDays } from "../setup/certificates.js";

const authority = createAuthority();
const first = authority.issue({ name: "first", use: "client" });
const second = authority.issue({ name: "second", use: "client" });
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harvest-material-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>, below = ""): string {
  const directory = join(folder, below);
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

const pair = (made: { cert: string; key: string }): Record<string, string> => ({
  "tls.crt": made.cert,
  "tls.key": made.key,
});

describe("loadTransportMaterial", () => {
  it("has nothing where nothing is named", async () => {
    expect(await loadTransportMaterial({}, {})).toEqual({
      clientCertificate: undefined,
      ca: undefined,
      headers: {},
      warnings: [],
    });
  });

  it("C90 reads a directory laid out like a TLS secret", async () => {
    const directory = write({ ...pair(first), "ca.crt": authority.cert });
    const material = await loadTransportMaterial({}, { clientCertificate: directory });
    expect(material.clientCertificate).toEqual({ ...first, from: directory });
    expect(material.ca).toEqual({ pem: authority.cert, from: join(directory, "ca.crt") });
    expect(material.warnings).toEqual([]);
  });

  it("C90 the files of the environment come before the directory", async () => {
    const directory = write(pair(first));
    write({ "c.pem": second.cert, "k.pem": second.key });
    const environment = { OAI_CLIENT_CERT: join(folder, "c.pem"), OAI_CLIENT_KEY: join(folder, "k.pem") };
    const material = await loadTransportMaterial(environment, { clientCertificate: directory });
    expect(material.clientCertificate?.cert).toBe(second.cert);
  });

  it("reads headers, one a file, and overlooks what the mount itself puts there", async () => {
    const headers = write({ Authorization: "Bearer s3cret\n", "X-Api-Key": "k" });
    mkdirSync(join(headers, "..2026_05_01"));
    expect((await loadTransportMaterial({}, { headers })).headers).toEqual({
      authorization: "Bearer s3cret",
      "x-api-key": "k",
    });
  });

  it("C88 speaks of a client certificate that ends within 30 days", async () => {
    const soon = authority.issue({ name: "soon", use: "client", until: inDays(5.5) });
    const { warnings } = await loadTransportMaterial({}, { clientCertificate: write(pair(soon)) });
    expect(warnings.map(({ code }) => code)).toEqual(["client-certificate-expires"]);
    expect(warnings[0]!.sentence).toMatch(/ expires on \d{4}-\d\d-\d\d, in 5 days: renew it\.$/);
  });

  it("C88 and of one that has ended", async () => {
    const { warnings } = await loadTransportMaterial(
      {},
      { clientCertificate: write(pair(first)) },
      Date.now() + 4000 * 86_400_000,
    );
    expect(warnings[0]!.sentence).toContain(" expired on ");
  });

  const bad: readonly { name: string; files: Record<string, string>; code: string; sentence: RegExp }[] = [
    { name: "no files", files: {}, code: "SecretUnreadable", sentence: /tls\.crt cannot be read \(ENOENT\)/ },
    {
      name: "no key",
      files: { "tls.crt": first.cert },
      code: "SecretUnreadable",
      sentence: /tls\.key cannot be read \(ENOENT\)/,
    },
    {
      name: "no PEM",
      files: { ...pair(first), "tls.crt": "hello" },
      code: "CertificateUnreadable",
      sentence: /is no PEM certificate/,
    },
    {
      name: "no key PEM",
      files: { ...pair(first), "tls.key": "SECRET TEXT" },
      code: "ClientKeyUnreadable",
      sentence: /no unencrypted PEM key/,
    },
    {
      name: "key of another",
      files: { "tls.crt": first.cert, "tls.key": second.key },
      code: "ClientKeyMismatch",
      sentence: /do not belong together/,
    },
    {
      name: "a huge file",
      files: { ...pair(first), "tls.crt": "x".repeat(2_000_000) },
      code: "SecretUnreadable",
      sentence: /bigger than 1 MiB/,
    },
  ];
  it.each(bad)("C90 $name", async ({ files, code, sentence }) => {
    const loading = loadTransportMaterial({}, { clientCertificate: write(files) });
    await expect(loading).rejects.toMatchObject({ kind: "config", code });
    await expect(loading).rejects.toThrow(sentence);
    await expect(loading).rejects.not.toThrow("SECRET TEXT");
  });

  it("C90 one variable without the other names the missing one", async () => {
    await expect(loadTransportMaterial({ OAI_CLIENT_CERT: "/x" }, {})).rejects.toThrow(
      "OAI_CLIENT_KEY is not set",
    );
    await expect(loadTransportMaterial({ OAI_CLIENT_KEY: "/x" }, {})).rejects.toThrow(
      "OAI_CLIENT_CERT is not set",
    );
  });

  it.each([
    ["Host", "evil.example"],
    ["Transfer-Encoding", "chunked"],
    ["a name", "x"],
    ["X-Key", "a\r\nX-Evil: b"],
  ])("C92 the header file %s is refused, and its value is not shown", async (name, value) => {
    const loading = loadTransportMaterial({}, { headers: write({ [name]: value }) });
    await expect(loading).rejects.toMatchObject({ kind: "config", code: "SecretHeaderInvalid" });
    await expect(loading).rejects.not.toThrow(value);
  });
});

describe("C90 transportMaterial", () => {
  it("C90 is the same object while nothing changes, and another after a rotation", async () => {
    const directory = write(pair(first));
    const current = transportMaterial({}, { clientCertificate: directory });
    const before = await current();
    expect(await current()).toBe(before);
    write(pair(second));
    expect((await current()).clientCertificate?.cert).toBe(second.cert);
  });

  it("C90 follows the symlink swap of a mounted secret", async () => {
    write(pair(first), "..v1");
    write(pair(second), "..v2");
    symlinkSync("..v1", join(folder, "..data"));
    for (const name of ["tls.crt", "tls.key"]) symlinkSync(join("..data", name), join(folder, name));
    const current = transportMaterial({}, { clientCertificate: folder });
    expect((await current()).clientCertificate?.cert).toBe(first.cert);
    symlinkSync("..v2", join(folder, "..next"));
    renameSync(join(folder, "..next"), join(folder, "..data"));
    expect((await current()).clientCertificate?.cert).toBe(second.cert);
  });

  it("C90 half a rotation keeps the last good pair, says so, and takes the whole when it is there", async () => {
    const directory = write(pair(first));
    const current = transportMaterial({}, { clientCertificate: directory });
    await current();
    write({ "tls.crt": second.cert });
    const between = await current();
    expect(between.clientCertificate?.cert).toBe(first.cert);
    expect(between.warnings.map(({ code }) => code)).toEqual(["certificate-reload-failed"]);
    write({ "tls.key": second.key });
    const after = await current();
    expect(after.clientCertificate?.key).toBe(second.key);
    expect(after.warnings).toEqual([]);
  });
});

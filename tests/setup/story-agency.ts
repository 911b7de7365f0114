/**
 * The agency of the end-to-end story: a sandbox that wants a client certificate, whose server may go away and come back on
 * the same port with everything that was edited, and which may change whose certificates it trusts.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox, type Control, type Sandbox } from "../../cli/sandbox/sandbox.js";
import { createAuthority, type CertificateAuthority, type MadeCertificate } from "./certificates.js";

export interface Agency {
  /** https://localhost:port/oai, the same all the time. */
  readonly url: string;
  /** PEM of the authority that signed its own certificate. */
  readonly authority: string;
  /** Of the server that runs now. */
  readonly control: Control;
  /** A client's certificate of the authority it trusts from the start. */
  readonly client: MadeCertificate;
  /** Changes records now; done again, with the same datestamps, whenever it comes back. */
  edit(change: (control: Control, stamp: number) => void): void;
  /** From now on only certificates of a new authority are accepted; answers one of them. */
  rotate(): Promise<MadeCertificate>;
  close(): Promise<void>;
  open(): Promise<void>;
  remove(): Promise<void>;
}

type Edit = (control: Control) => void;

export async function openAgency(records: number): Promise<Agency> {
  const folder = mkdtempSync(join(tmpdir(), "agency-"));
  const at = (file: string): string => join(folder, file);
  const own = createAuthority("Agency Authority");
  const server = own.issue({ name: "localhost" });
  writeFileSync(at("tls.crt"), server.cert);
  writeFileSync(at("tls.key"), server.key);
  const port = await freePort();
  const edits: Edit[] = [];
  let sandbox: Sandbox | undefined;

  function trust(authority: CertificateAuthority): MadeCertificate {
    writeFileSync(at("clients.crt"), authority.cert);
    return authority.issue({ name: "harvester.example", use: "client" });
  }

  async function open(): Promise<void> {
    sandbox ??= await startSandbox({
      port,
      pageSize: 10,
      source: { kind: "generated", count: records },
      tls: {
        certFile: at("tls.crt"),
        keyFile: at("tls.key"),
        caFile: at("clients.crt"),
        clientCertificate: "require",
        minVersion: "TLSv1.3",
      },
    });
    for (const edit of edits) edit(sandbox.control);
  }

  async function close(): Promise<void> {
    await sandbox?.close();
    sandbox = undefined;
  }

  const client = trust(createAuthority("Clients"));
  await open();
  return {
    url: `https://localhost:${String(port)}/oai`,
    authority: own.cert,
    client,
    get control() {
      if (sandbox === undefined) throw new Error("The agency is closed.");
      return sandbox.control;
    },
    edit(change) {
      const stamp = Math.floor(Date.now() / 1000);
      const edit: Edit = (control) => {
        change(control, stamp);
      };
      edits.push(edit);
      if (sandbox !== undefined) edit(sandbox.control);
    },
    async rotate() {
      await close();
      const made = trust(createAuthority(`Clients ${String(Date.now())}`));
      await open();
      return made;
    },
    close,
    open,
    async remove() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return address.port;
}

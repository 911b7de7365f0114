import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM texts of one certificate and its key. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWish {
  /** Common name, e.g. "harvester.example". */
  readonly name: string;
  /** subjectAltName entries; default: DNS:localhost, IP:127.0.0.1, IP:::1. */
  readonly names?: readonly string[];
  readonly use?: "server" | "client";
  /** OpenSSL's YYYYMMDDHHMMSSZ; default: valid from yesterday for ten years. */
  readonly from?: string;
  readonly until?: string;
}

export interface CertificateAuthority extends MadeCertificate {
  issue(wish: CertificateWish): MadeCertificate;
  /** An authority below this one; what it issues comes without its own certificate. */
  intermediate(name: string): CertificateAuthority;
}

/** Real certificates, made by the `openssl` program; nothing is left on disk. */
export function createAuthority(name = "Test Authority"): CertificateAuthority {
  return authority(name, undefined);
}

/** One certificate that is its own issuer. */
export function selfSigned(wish: CertificateWish): MadeCertificate {
  return make(wish, leaf(wish), undefined);
}

/** `days` from now, the way openssl writes it. */
export function inDays(days: number): string {
  const text = new Date(Date.now() + days * 86_400_000).toISOString();
  return `${text.slice(0, 19).replace(/[-:T]/g, "")}Z`;
}

function authority(name: string, parent: MadeCertificate | undefined): CertificateAuthority {
  const extensions =
    "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n";
  const made = make({ name }, extensions, parent);
  return {
    ...made,
    issue: (wish) => make(wish, leaf(wish), made),
    intermediate: (below) => authority(below, made),
  };
}

function leaf(wish: CertificateWish): string {
  const names = wish.names ?? ["DNS:localhost", "IP:127.0.0.1", "IP:::1"];
  const use = wish.use === "client" ? "clientAuth" : "serverAuth";
  return `basicConstraints=CA:FALSE\nextendedKeyUsage=${use}\nsubjectAltName=${names.join(",")}\n`;
}

function make(
  wish: CertificateWish,
  extensions: string,
  parent: MadeCertificate | undefined,
): MadeCertificate {
  const folder = mkdtempSync(join(tmpdir(), "harvest-certificates-"));
  try {
    return makeIn(folder, { wish, extensions, parent });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Order {
  readonly wish: CertificateWish;
  readonly extensions: string;
  readonly parent: MadeCertificate | undefined;
}

/** `openssl ca` is the only command of OpenSSL 3.0 that takes both dates. */
function makeIn(folder: string, { wish, extensions, parent }: Order): MadeCertificate {
  const at = (file: string): string => join(folder, file);
  writeFileSync(at("req.cnf"), "[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nCN=ignored\n");
  openssl(
    "req",
    "-new",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-config",
    at("req.cnf"),
    "-subj",
    `/CN=${wish.name}`,
    "-keyout",
    at("key.pem"),
    "-out",
    at("request.pem"),
  );
  const key = readFileSync(at("key.pem"), "utf8");
  writeFileSync(at("issuer-key.pem"), parent?.key ?? key);
  if (parent !== undefined) writeFileSync(at("issuer.pem"), parent.cert);
  writeFileSync(at("index.txt"), "");
  writeFileSync(
    at("ca.cnf"),
    `[ca]\ndefault_ca=d\n[d]\ndatabase=${at("index.txt")}\nnew_certs_dir=${folder}\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nunique_subject=no\ncopy_extensions=none\n[p]\ncommonName=supplied\n[x]\n${extensions}`,
  );
  const issuer = parent === undefined ? ["-selfsign"] : ["-cert", at("issuer.pem")];
  openssl(
    "ca",
    "-batch",
    "-notext",
    "-config",
    at("ca.cnf"),
    "-extensions",
    "x",
    ...issuer,
    "-keyfile",
    at("issuer-key.pem"),
    "-in",
    at("request.pem"),
    "-out",
    at("cert.pem"),
    "-startdate",
    wish.from ?? inDays(-1),
    "-enddate",
    wish.until ?? inDays(3650),
  );
  return { cert: readFileSync(at("cert.pem"), "utf8"), key };
}

function openssl(...options: string[]): void {
  execFileSync("openssl", options, { stdio: ["ignore", "ignore", "pipe"] });
}

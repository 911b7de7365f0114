import { group } from "../names.js";
import type { LiveSource } from "../object.js";

/** Where things lie in a pod (docs/pod.md). */
export const paths = {
  source: "/etc/harvest/source",
  bundle: "/etc/harvest/bundle",
  secrets: "/etc/harvest/secrets",
  database: "/etc/harvest/database",
  /** Empty and writable: the pod unpacks the bundle into `policy` below it. */
  work: "/var/run/harvest",
  temporary: "/tmp",
  terminationMessage: "/dev/termination-log",
} as const;

export const databaseKey = "DATABASE_URL";

/** Annotation of a pod that carries its manifest itself. */
export const manifestAnnotation = `${group}/manifest`;

/** A volume of the pod and the place where its one container has it. */
export interface PodFiles {
  readonly name: string;
  readonly mountPath: string;
  /** The volume's kind and its parameters. */
  readonly volume: Readonly<Record<string, unknown>>;
  readonly writable?: boolean;
}

/** Readable for the owner; with fsGroup the kubelet gives the pod's group the same. */
const OWNER_READS = 0o400;

/** A bundle may unpack to 64 MiB (source/bundle/bundle-limits.ts); thousands of small files take whole blocks. */
const WORK_SIZE = "128Mi";
const TEMPORARY_SIZE = "256Mi";

export function configMapFiles(name: string, from: { configMap: string; mountPath: string }): PodFiles {
  return { name, mountPath: from.mountPath, volume: { configMap: { name: from.configMap } } };
}

/** The manifest as an annotation of the pod, in a file: it needs no other object. */
export function annotatedManifestFiles(file: string): PodFiles {
  const items = [{ path: file, fieldRef: { fieldPath: `metadata.annotations['${manifestAnnotation}']` } }];
  return {
    name: "source",
    mountPath: paths.source,
    volume: { projected: { sources: [{ downwardAPI: { items } }] } },
  };
}

export function databaseFiles(secretName: string): PodFiles {
  const items = [{ key: databaseKey, path: databaseKey }];
  return {
    name: "database",
    mountPath: paths.database,
    volume: { secret: { secretName, items, defaultMode: OWNER_READS } },
  };
}

export const temporaryFiles: PodFiles = scratch("tmp", paths.temporary, TEMPORARY_SIZE);
export const workFiles: PodFiles = scratch("work", paths.work, WORK_SIZE);

function scratch(name: string, mountPath: string, sizeLimit: string): PodFiles {
  return { name, mountPath, volume: { emptyDir: { sizeLimit } }, writable: true };
}

/** One folder a secret the manifest names; a secret with two uses is mounted once. */
export function secretFiles(source: LiveSource): readonly PodFiles[] {
  const { caSecretName, headersSecretName } = source.spec.transport;
  const wanted = [
    { name: "client-certificate", secretName: clientCertificateSecret(source) },
    { name: "certificate-authority", secretName: caSecretName },
    { name: "headers", secretName: headersSecretName },
  ];
  const seen = new Set<string>();
  return wanted.flatMap(({ name, secretName }): readonly PodFiles[] => {
    if (secretName === undefined || seen.has(secretName)) return [];
    seen.add(secretName);
    const volume = { secret: { secretName, defaultMode: OWNER_READS } };
    return [{ name, mountPath: `${paths.secrets}/${secretName}`, volume }];
  });
}

/** The secret with the client certificate; undefined when none is presented. */
export function clientCertificateSecret({ metadata, spec }: LiveSource): string | undefined {
  const { mtls, clientCertificate } = spec.transport;
  return mtls ? (clientCertificate?.secretName ?? `${metadata.name}-client-cert`) : undefined;
}

import { keyOf, type LiveSource } from "../object.js";
import { manifestFile } from "./config-map.js";
import { clientCertificateSecret, databaseKey, paths } from "./pod-files.js";
import type { RenderInput } from "./render-input.js";

export interface EnvVar {
  readonly name: string;
  readonly value: string;
}

type Variables = Readonly<Record<string, string>>;

/** What both programs are told; nothing of it is secret. */
function common(source: LiveSource): Variables {
  return {
    HARVEST_MANIFEST: `${paths.source}/${manifestFile}`,
    // Two namespaces may each have a source of one name, and one database.
    HARVEST_SOURCE_KEY: keyOf(source),
    HARVEST_DATABASE_URL_FILE: `${paths.database}/${databaseKey}`,
    HARVEST_TERMINATION_MESSAGE: paths.terminationMessage,
    TMPDIR: paths.temporary,
  };
}

/** Of the pod that harvests (docs/pod.md). Every path is said, even where it is the program's default. */
export function harvestEnvironment({ source, bundle, settings }: RenderInput): readonly EnvVar[] {
  const certificate = clientCertificateSecret(source);
  return asList({
    ...common(source),
    HARVEST_BUNDLE: paths.bundle,
    HARVEST_BUNDLE_DIGEST: bundle.digest,
    HARVEST_ROOT: `${paths.work}/policy`,
    HARVEST_SECRETS: paths.secrets,
    ...(settings.contact !== undefined && { HARVEST_CONTACT: literal(settings.contact) }),
    ...(certificate !== undefined && {
      OAI_CLIENT_CERT: `${paths.secrets}/${certificate}/tls.crt`,
      OAI_CLIENT_KEY: `${paths.secrets}/${certificate}/tls.key`,
    }),
  });
}

/** Of the pod that withdraws: it asks no source anything and needs no policy. */
export function withdrawEnvironment(source: LiveSource): readonly EnvVar[] {
  return asList(common(source));
}

function asList(variables: Variables): readonly EnvVar[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value }));
}

/** The kubelet fills $(NAME) in and reads $$ as $. */
function literal(text: string): string {
  return text.replaceAll("$", "$$$$");
}

import type { LiveSource } from "../object.js";
import type { RenderSettings } from "../settings.js";
import { childLabels, type Role } from "./child-object.js";
import type { EnvVar } from "./environment.js";
import { paths, type PodFiles } from "./pod-files.js";

export const containerName = "harvester";

export interface PodParts {
  readonly role: Exclude<Role, "spec">;
  readonly annotations: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly env: readonly EnvVar[];
  readonly files: readonly PodFiles[];
}

/** Any user but root; the image needs no entry for it. */
const USER = 65532;
/** After SIGTERM the batch under way is committed; one transaction, seconds at most. */
const GRACE_SECONDS = 120;

/** A pod that passes PodSecurity "restricted", without a token: one container, mounted files in, exit code and message out. */
export function podTemplate(source: LiveSource, settings: RenderSettings, parts: PodParts): object {
  return {
    metadata: { labels: childLabels(source, parts.role), annotations: parts.annotations },
    spec: {
      restartPolicy: "Never",
      serviceAccountName: settings.serviceAccount,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: GRACE_SECONDS,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: USER,
        runAsGroup: USER,
        fsGroup: USER,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [container(settings, parts)],
      volumes: parts.files.map(({ name, volume }) => ({ name, ...volume })),
      ...placement(settings),
    },
  };
}

function container(settings: RenderSettings, { command, env, files }: PodParts): object {
  return {
    name: containerName,
    image: settings.image,
    ...(settings.imagePullPolicy !== undefined && { imagePullPolicy: settings.imagePullPolicy }),
    command,
    env,
    resources: settings.resources,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      privileged: false,
      readOnlyRootFilesystem: true,
    },
    terminationMessagePath: paths.terminationMessage,
    // The log ends with the same summary, but would be cut to 2 KiB.
    terminationMessagePolicy: "File",
    volumeMounts: files.map(({ name, mountPath, writable }) => ({
      name,
      mountPath,
      ...(writable !== true && { readOnly: true }),
    })),
  };
}

function placement({ imagePullSecrets, priorityClassName, nodeSelector }: RenderSettings): object {
  return {
    ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
  };
}

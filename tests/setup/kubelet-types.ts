/** As much of a Pod as the test kubelet reads (k8s.io/api/core/v1). */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly volumes?: readonly Volume[];
    readonly activeDeadlineSeconds?: number;
    readonly terminationGracePeriodSeconds?: number;
    readonly serviceAccountName?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly startTime?: string;
    readonly conditions?: readonly PodCondition[];
  };
}

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFrom[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly readinessProbe?: Probe;
}

export interface Probe {
  readonly httpGet?: { readonly path?: string; readonly port: string | number };
}

export interface KeyRef {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly configMapKeyRef?: KeyRef;
    readonly secretKeyRef?: KeyRef;
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

export interface EnvFrom {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name: string; readonly optional?: boolean };
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
}

export interface Item {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

export interface ConfigMapSource {
  readonly name: string;
  readonly items?: readonly Item[];
  readonly optional?: boolean;
  readonly defaultMode?: number;
}

export interface SecretSource {
  readonly secretName: string;
  readonly items?: readonly Item[];
  readonly optional?: boolean;
  readonly defaultMode?: number;
}

export interface Projection {
  readonly configMap?: Omit<ConfigMapSource, "defaultMode">;
  readonly secret?: Omit<ConfigMapSource, "defaultMode">;
  readonly serviceAccountToken?: {
    readonly path: string;
    readonly audience?: string;
    readonly expirationSeconds?: number;
  };
  readonly downwardAPI?: {
    readonly items?: readonly { readonly path: string; readonly fieldRef?: { readonly fieldPath: string } }[];
  };
}

export interface Volume {
  readonly name: string;
  readonly configMap?: ConfigMapSource;
  readonly secret?: SecretSource;
  readonly emptyDir?: object;
  readonly projected?: { readonly sources?: readonly Projection[]; readonly defaultMode?: number };
}

/** What keeps a container from being created; tried again. */
export class CannotCreate extends Error {
  /** The waiting container's reason: ContainerCreating for volumes, CreateContainerConfigError for the environment. */
  readonly reason: "ContainerCreating" | "CreateContainerConfigError";

  constructor(reason: CannotCreate["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

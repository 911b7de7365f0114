/** What a reviewer of manifests looks for, as a table. The subjects are those of kube-linter's checks; the words are ours. */
import { idOf, type Manifest } from "./overlays.js";

interface Container {
  readonly name: string;
  readonly image: string;
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly privileged?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly resources?: Readonly<Record<"requests" | "limits", Readonly<Record<string, string>> | undefined>>;
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly volumeMounts?: readonly { readonly name: string }[];
  readonly ports?: readonly { readonly hostPort?: number }[];
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type?: string };
  };
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Of a Deployment, Job or CronJob; undefined for anything else. */
export function podOf(object: Manifest): PodSpec | undefined {
  const spec = object["spec"] as
    { template?: { spec: PodSpec }; jobTemplate?: { spec: { template: { spec: PodSpec } } } } | undefined;
  return spec?.jobTemplate?.spec.template.spec ?? spec?.template?.spec;
}

export type Broken = (objects: readonly Manifest[]) => readonly string[];

/** Ids of the objects whose pods `wrong` says yes to. */
function pods(wrong: (pod: PodSpec, object: Manifest) => boolean): Broken {
  return (objects) =>
    objects
      .filter((object) => {
        const pod = podOf(object);
        return pod !== undefined && wrong(pod, object);
      })
      .map(idOf);
}

function containers(wrong: (container: Container, pod: PodSpec) => boolean): Broken {
  return pods((pod) => [...pod.containers, ...(pod.initContainers ?? [])].some((each) => wrong(each, pod)));
}

function rules(wrong: (rule: Rule) => boolean): Broken {
  return (objects) =>
    objects
      .filter(({ kind }) => kind === "Role" || kind === "ClusterRole")
      .filter((object) => (object["rules"] as readonly Rule[]).some(wrong))
      .map(idOf);
}

const pinned = /^[a-z0-9.-]+(:[0-9]+)?\/[a-z0-9/._-]+@sha256:[0-9a-f]{64}$/;
const clusterKinds = /^(Cluster|CustomResourceDefinition|Namespace$|ValidatingAdmissionPolicy)/;

export const workloadRules: Readonly<Record<string, Broken>> = {
  "no container runs as root": pods(
    ({ securityContext }) =>
      securityContext?.runAsNonRoot !== true || !((securityContext.runAsUser ?? 0) > 0),
  ),
  "no root file system can be written": containers((c) => c.securityContext?.readOnlyRootFilesystem !== true),
  "no process gains rights": containers(
    (c) => c.securityContext?.allowPrivilegeEscalation !== false || c.securityContext.privileged === true,
  ),
  "all capabilities are dropped": containers(
    ({ securityContext }) =>
      JSON.stringify(securityContext?.capabilities?.drop) !== '["ALL"]' ||
      securityContext?.capabilities?.add !== undefined,
  ),
  "the runtime's system call filter is on": pods(
    (pod) => pod.securityContext?.seccompProfile?.type !== "RuntimeDefault",
  ),
  "nothing of the host is shared": pods(
    ({ hostNetwork, hostPID, hostIPC, volumes = [] }) =>
      [hostNetwork, hostPID, hostIPC].includes(true) || volumes.some((volume) => "hostPath" in volume),
  ),
  "no port of the host is taken": containers(({ ports = [] }) =>
    ports.some(({ hostPort }) => hostPort !== undefined),
  ),
  "CPU and memory are asked for and limited": containers(({ resources }) =>
    ["requests", "limits"].some((kind) =>
      ["cpu", "memory"].some((what) => resources?.[kind as "requests"]?.[what] === undefined),
    ),
  ),
  "images are named by digest": containers(({ image }) => !pinned.test(image)),
  "no secret is in the environment": containers(({ env = [] }) =>
    env.some(
      ({ name, valueFrom = {}, value }) =>
        "secretKeyRef" in valueFrom ||
        (value !== undefined && /password|token|^secret|^database_url$/i.test(name)),
    ),
  ),
  "no token is mounted that was not asked for": pods((pod) => pod.automountServiceAccountToken !== false),
  "no variable for each service of the namespace": pods((pod) => pod.enableServiceLinks !== false),
  "service accounts are there, and hand out no token": (objects) => {
    const accounts = objects.filter(({ kind }) => kind === "ServiceAccount");
    const lax = accounts.filter((account) => account["automountServiceAccountToken"] !== false).map(idOf);
    const missing = pods(
      (pod, { metadata }) =>
        !accounts.some(
          (each) =>
            each.metadata.name === pod.serviceAccountName && each.metadata.namespace === metadata.namespace,
        ),
    );
    return [...lax, ...missing(objects)];
  },
  "what runs on has probes": (objects) =>
    containers(
      ({ livenessProbe, readinessProbe }) => livenessProbe === undefined || readinessProbe === undefined,
    )(objects.filter(({ kind }) => kind === "Deployment")),
  "several replicas are on several nodes, with a budget": (objects) => {
    const several = objects.filter(
      ({ kind, spec }) => kind === "Deployment" && (spec as { replicas: number }).replicas > 1,
    );
    const alone = several.filter((object) => !JSON.stringify(object).includes('"podAntiAffinity"'));
    const budgets = objects.filter(({ kind }) => kind === "PodDisruptionBudget");
    return [...alone, ...(budgets.length === several.length ? [] : several)].map(idOf);
  },
  "Jobs end and go": (objects) =>
    objects
      .filter(({ kind, spec = {} }) => {
        const { activeDeadlineSeconds, ttlSecondsAfterFinished } = spec as Readonly<Record<string, number>>;
        return (
          kind === "Job" && (activeDeadlineSeconds === undefined || ttlSecondsAfterFinished === undefined)
        );
      })
      .map(idOf),
  "every mounted volume is there": containers(({ volumeMounts = [] }, { volumes = [] }) =>
    volumeMounts.some(({ name }) => !volumes.some((volume) => volume["name"] === name)),
  ),
  "no right is a wildcard": rules((rule) =>
    [rule.apiGroups, rule.resources, rule.verbs].flat().includes("*"),
  ),
  "no right reaches secrets": rules(({ resources }) => resources.some((each) => /^secrets|^\*/.test(each))),
  "no right leads to other rights": rules(
    ({ resources, verbs }) =>
      verbs.some((verb) => ["escalate", "bind", "impersonate"].includes(verb)) ||
      resources.some((each) =>
        /^(pods\/|nodes|serviceaccounts|roles|clusterroles|rolebindings|clusterrolebindings)/.test(each),
      ),
  ),
  "nobody is bound to cluster-admin, and only accounts of ours are bound": (objects) =>
    objects
      .filter(({ kind }) => /^(Cluster)?RoleBinding$/.test(kind))
      .filter((object) => {
        const { roleRef, subjects } = object as unknown as {
          roleRef: { name: string };
          subjects: { kind: string; name: string }[];
        };
        return (
          roleRef.name === "cluster-admin" ||
          subjects.some(({ kind, name }) => kind !== "ServiceAccount" || name !== "harvest-controller")
        );
      })
      .map(idOf),
  "every binding finds its role and its account": (objects) => {
    const ids = new Set(objects.map(idOf));
    return objects
      .filter(({ kind }) => /^(Cluster)?RoleBinding$/.test(kind))
      .filter((object) => {
        const { roleRef, subjects } = object as unknown as {
          roleRef: { kind: string; name: string };
          subjects: { namespace: string; name: string }[];
        };
        const namespace = roleRef.kind === "Role" ? (object.metadata.namespace ?? "") : "";
        return (
          !ids.has(`${roleRef.kind} ${namespace}/${roleRef.name}`) ||
          subjects.some((each) => !ids.has(`ServiceAccount ${each.namespace}/${each.name}`))
        );
      })
      .map(idOf);
  },
  "nothing goes to whatever namespace kubectl is set to": (objects) => {
    const own = objects.find(({ kind }) => kind === "Namespace")?.metadata.name;
    return objects
      .filter(({ kind, metadata }) =>
        clusterKinds.test(kind) ? metadata.namespace !== undefined : metadata.namespace !== own,
      )
      .map(idOf);
  },
  "namespaces take restricted pods alone": (objects) =>
    objects
      .filter(
        ({ kind, metadata }) =>
          kind === "Namespace" && metadata.labels?.["pod-security.kubernetes.io/enforce"] !== "restricted",
      )
      .map(idOf),
  "every object says what it is part of": (objects) =>
    objects
      .filter(
        ({ kind, metadata }) =>
          kind !== "Namespace" && metadata.labels?.["app.kubernetes.io/part-of"] !== "harvest",
      )
      .map(idOf),
  "services and budgets select pods that are there": (objects) => {
    const labels = objects.flatMap((object) => {
      const { template } = (object["spec"] ?? {}) as {
        template?: { metadata: { labels: Readonly<Record<string, string>> } };
      };
      return template === undefined ? [] : [template.metadata.labels];
    });
    return objects
      .filter(({ kind }) => kind === "Service" || kind === "PodDisruptionBudget")
      .filter((object) => {
        const { selector } = object["spec"] as {
          selector: { matchLabels?: Readonly<Record<string, string>> };
        };
        const wanted = Object.entries(selector.matchLabels ?? (selector as Readonly<Record<string, string>>));
        return !labels.some((each) => wanted.every(([key, value]) => each[key] === value));
      })
      .map(idOf);
  },
};

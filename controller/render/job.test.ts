import { describe, expect, it } from "vitest";
import type { KubeObject } from "../object.js";
import { renderRequestedJob } from "./harvest-job.js";
import { fullInput, liveSource, renderInput } from "./inputs-for-tests.js";
import { renderChildren } from "./render-children.js";
import { renderWithdrawJob } from "./withdraw-job.js";

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly volumeMounts: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
  readonly resources: { readonly requests?: object; readonly limits?: object };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationMessagePolicy: string;
}
interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly ({ readonly name: string } & Readonly<
    Record<string, Record<string, unknown>>
  >)[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}
interface JobSpec {
  readonly template: { readonly spec: PodSpec };
  readonly podFailurePolicy: {
    readonly rules: readonly {
      readonly action: string;
      readonly onExitCodes?: { readonly values: readonly number[] };
    }[];
  };
  readonly [field: string]: unknown;
}

function jobOf(object: KubeObject): JobSpec {
  const spec = object["spec"] as { jobTemplate?: { spec: JobSpec } } & JobSpec;
  return spec.jobTemplate?.spec ?? spec;
}

const jobs: readonly (readonly [string, KubeObject])[] = [renderInput(), fullInput()].flatMap((input) => [
  ["scheduled", renderChildren(input).cronJob] as const,
  ["requested", renderRequestedJob(input, "now")] as const,
  ["withdraw", renderWithdrawJob(input)] as const,
]);

describe.each(jobs)("a pod (%s)", (kind, object) => {
  const job = jobOf(object);
  const pod = job.template.spec;
  const [container] = pod.containers;

  it.each<[string, unknown, unknown]>([
    ["has one container", pod.containers.length, 1],
    ["cannot write to its image", container!.securityContext["readOnlyRootFilesystem"], true],
    ["cannot gain rights", container!.securityContext["allowPrivilegeEscalation"], false],
    ["has no privileges", container!.securityContext["privileged"], false],
    ["has no capabilities", container!.securityContext["capabilities"], { drop: ["ALL"] }],
    [
      "is not root",
      [pod.securityContext["runAsNonRoot"], Number(pod.securityContext["runAsUser"]) > 0],
      [true, true],
    ],
    ["has a group that can read its secrets", Number(pod.securityContext["fsGroup"]) > 0, true],
    ["is confined", pod.securityContext["seccompProfile"], { type: "RuntimeDefault" }],
    ["has no token", pod["automountServiceAccountToken"], false],
    ["has an account of its own", pod["serviceAccountName"], "harvest-pod"],
    ["is told of no services", pod["enableServiceLinks"], false],
    [
      "shares nothing with its node",
      [pod["hostNetwork"], pod["hostPID"], pod["hostIPC"]],
      [undefined, undefined, undefined],
    ],
    ["asks for what it needs", Object.keys(container!.resources.requests ?? {}), ["cpu", "memory"]],
    ["has limits", Object.keys(container!.resources.limits ?? {}), ["cpu", "memory"]],
    ["has no image that may change", /@sha256:[0-9a-f]{64}$/.test(container!.image), true],
    [
      "has no environment from secrets",
      container!.env.filter(({ valueFrom }) => valueFrom !== undefined),
      [],
    ],
    ["is restarted by its Job alone", pod["restartPolicy"], "Never"],
    ["tells its end in a file", container!.terminationMessagePolicy, "File"],
    ["has a time to end", Number(job["activeDeadlineSeconds"]) >= 3600, true],
    ["has few tries", Number(job["backoffLimit"]) <= 6, true],
    ["is never there twice", [job["parallelism"], job["podReplacementPolicy"]], [1, "Failed"]],
    ["is cleared away", "ttlSecondsAfterFinished" in job, kind !== "scheduled"],
  ])("%s", (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  it("has each volume at one place, and can write to none that was given", () => {
    const mounts = container!.volumeMounts;
    expect(mounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
    expect(new Set(mounts.map(({ mountPath }) => mountPath)).size).toBe(mounts.length);
    for (const volume of pod.volumes) {
      const mount = mounts.find(({ name }) => name === volume.name);
      expect(mount?.readOnly === true).toBe(volume["emptyDir"] === undefined);
      expect(volume.name).toMatch(/^[a-z0-9-]{1,63}$/);
    }
  });

  it("lets only its owner read a secret, and bounds what it may write", () => {
    for (const { secret, emptyDir } of pod.volumes) {
      if (secret !== undefined) expect(secret["defaultMode"]).toBe(0o400);
      if (emptyDir !== undefined) expect(emptyDir["sizeLimit"]).toMatch(/^\d+Mi$/);
    }
  });
});

describe("a CronJob", () => {
  it.each([
    ["concurrencyPolicy", "Forbid"],
    ["startingDeadlineSeconds", 600],
    ["successfulJobsHistoryLimit", 3],
    ["failedJobsHistoryLimit", 3],
    ["timeZone", "Etc/UTC"],
  ])("has %s %j", (field, value) => {
    expect(renderChildren(renderInput()).cronJob["spec"]).toHaveProperty(field, value);
  });

  it("gives a run ten minutes more than it gives itself", () => {
    const { spec } = liveSource();
    const input = renderInput({ source: liveSource({ limits: { ...spec.limits, maxRunSeconds: 60 } }) });
    expect(jobOf(renderChildren(input).cronJob)["activeDeadlineSeconds"]).toBe(660);
  });
});

describe("after an exit code (docs/exit-codes.md)", () => {
  const again = (object: KubeObject, code: number) => {
    const rules = jobOf(object).podFailurePolicy.rules;
    expect(rules[0]).toMatchObject({ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] });
    return !rules.some(
      ({ action, onExitCodes }) => action === "FailJob" && onExitCodes?.values.includes(code) === true,
    );
  };
  it.each([
    { code: 65, what: "the source broke the protocol", harvest: false, withdraw: true },
    { code: 69, what: "the endpoint is away", harvest: false, withdraw: true },
    { code: 70, what: "our fault", harvest: false, withdraw: false },
    { code: 74, what: "the store failed", harvest: true, withdraw: true },
    { code: 75, what: "a passing fault, or maxRunSeconds", harvest: false, withdraw: true },
    { code: 77, what: "denied", harvest: false, withdraw: true },
    { code: 78, what: "configuration", harvest: false, withdraw: false },
    { code: 137, what: "killed, e.g. out of memory", harvest: true, withdraw: true },
  ])("$code ($what) another pod follows: $harvest, withdrawing: $withdraw", ({ code, harvest, withdraw }) => {
    expect(again(renderChildren(renderInput()).cronJob, code)).toBe(harvest);
    expect(again(renderRequestedJob(renderInput(), "now"), code)).toBe(harvest);
    expect(again(renderWithdrawJob(renderInput()), code)).toBe(withdraw);
  });
});

describe("the secrets of a pod", () => {
  const { transport } = liveSource().spec;
  const database = "harvest-database";
  it.each([
    { name: "none", given: {}, secrets: [], cert: undefined },
    {
      name: "a certificate by its default name",
      given: { mtls: true },
      secrets: ["state-client-cert"],
      cert: "state-client-cert",
    },
    {
      name: "a certificate by name",
      given: { mtls: true, clientCertificate: { secretName: "portal" } },
      secrets: ["portal"],
      cert: "portal",
    },
    {
      name: "a certificate that is not presented",
      given: { clientCertificate: { secretName: "portal" } },
      secrets: [],
      cert: undefined,
    },
    {
      name: "one secret for two uses",
      given: {
        mtls: true,
        clientCertificate: { secretName: "portal" },
        caSecretName: "portal",
        headersSecretName: "key",
      },
      secrets: ["portal", "key"],
      cert: "portal",
    },
    {
      name: "an authority alone",
      given: { caSecretName: "authority" },
      secrets: ["authority"],
      cert: undefined,
    },
  ])("are $name", ({ given, secrets, cert }) => {
    const source = liveSource({ transport: { ...transport, ...given } });
    const { volumes, containers } = jobOf(renderChildren(renderInput({ source })).cronJob).template.spec;
    const named = volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret["secretName"]]));
    expect(named).toEqual([database, ...secrets]);
    const folders = containers[0]!.volumeMounts
      .map(({ mountPath }) => mountPath)
      .filter((path) => path.startsWith("/etc/harvest/secrets/"));
    expect(folders).toEqual(secrets.map((secret) => `/etc/harvest/secrets/${secret}`));
    const value = (name: string) => containers[0]!.env.find((each) => each.name === name)?.value;
    expect(value("OAI_CLIENT_CERT")).toBe(cert && `/etc/harvest/secrets/${cert}/tls.crt`);
    expect(value("OAI_CLIENT_KEY")).toBe(cert && `/etc/harvest/secrets/${cert}/tls.key`);
  });

  it("are not needed to withdraw, but for the database's", () => {
    const { volumes } = jobOf(renderWithdrawJob(fullInput())).template.spec;
    expect(volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret["secretName"]]))).toEqual([
      database,
    ]);
    expect(volumes.filter((volume) => volume["configMap"] !== undefined)).toEqual([]);
  });
});

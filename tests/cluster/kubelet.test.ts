/** The test kubelet itself, under the real controllers and the real scheduler: what the other cluster tests stand on. */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCluster } from "../setup/cluster.js";
import { startKubelet } from "../setup/kubelet.js";

const cluster = await testCluster({ ours: true });
const kubelet = cluster === undefined ? undefined : await startKubelet({ cluster });

afterAll(async () => {
  await kubelet?.stop();
  await cluster?.remove();
});

interface Status {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
  }[];
  readonly containerStatuses?: readonly {
    readonly state: {
      readonly waiting?: { readonly reason: string; readonly message?: string };
      readonly running?: object;
      readonly terminated?: { readonly exitCode: number; readonly reason: string; readonly message?: string };
    };
  }[];
}

interface Found {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly status?: Status;
}

const script = (text: string): readonly string[] => ["sh", "-c", text];

/** A pod template the restricted pod security level admits. */
function template(command: readonly string[], more: Readonly<Record<string, unknown>> = {}): object {
  const { env, volumes, volumeMounts, ...spec } = more;
  return {
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          ...{ name: "main", image: "example.invalid/none@sha256:0", command, env, volumeMounts },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
      volumes,
      ...spec,
    },
  };
}

const labelled = (app: string, of: object): object => ({ ...of, metadata: { labels: { app } } });

async function apply(...objects: readonly object[]): Promise<void> {
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  const { code, stderr } = await cluster!.kubectl(["apply", "-f", "-"], { input: list });
  if (code !== 0) throw new Error(stderr);
}

const pod = (name: string, of: object): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  ...of,
});

const job = (name: string, of: object, more: object = {}): object => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name },
  spec: { backoffLimit: 0, template: of, ...more },
});

/** The objects of a kind, once `holds` is true of them. */
async function until(what: string, holds: (found: readonly Found[]) => boolean): Promise<readonly Found[]> {
  let found: readonly Found[] = [];
  for (let tries = 0; tries < 400; tries += 1) {
    const { stdout } = await cluster!.kubectl([
      "get",
      ...what.split(" "),
      "--ignore-not-found",
      "-o",
      "json",
    ]);
    const answer = stdout === "" ? [] : (JSON.parse(stdout) as Found | { items: Found[] });
    found = "items" in answer ? answer.items : Array.isArray(answer) ? [] : [answer];
    if (holds(found)) return found;
    await wait(200);
  }
  throw new Error(`It never came to be; ${what} is ${JSON.stringify(found, undefined, 1)}`);
}

const phase = (name: string) => (found: readonly Found[]) => found[0]?.status?.phase === name;
const ended = ([found]: readonly Found[]) => found?.status?.containerStatuses?.[0]?.state.terminated;
const waiting = ([found]: readonly Found[]) => found?.status?.containerStatuses?.[0]?.state.waiting;

describe.skipIf(cluster === undefined)("a pod on the test kubelet", { timeout: 90_000 }, () => {
  beforeAll(() =>
    apply(
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "rules" },
        data: { plain: "from a map", "x.txt": "nested" },
        binaryData: { bytes: "AAH/" },
      },
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "portal-tls" },
        stringData: { "tls.crt": "certificate", "tls.key": "key" },
      },
      // Due within a minute; looked at by the last test.
      {
        apiVersion: "batch/v1",
        kind: "CronJob",
        metadata: { name: "minutely" },
        spec: {
          schedule: "* * * * *",
          jobTemplate: { spec: { template: labelled("minutely", template(script("echo due"))) } },
        },
      },
    ),
  );

  it("runs a Job to its end, its termination message in the status", async () => {
    await apply(job("good", template(script("echo hello; printf '{\"ok\":true}' > /dev/termination-log"))));
    await until("job good", (found) =>
      (found[0]?.status?.conditions ?? []).some(
        ({ type, status }) => type === "Complete" && status === "True",
      ),
    );
    const found = await until("pod -l job-name=good", phase("Succeeded"));
    expect(ended(found)).toMatchObject({ exitCode: 0, reason: "Completed", message: '{"ok":true}' });
    expect(kubelet!.logs(found[0]!.metadata.name)).toBe("hello\n");
    const logs = await cluster!.kubectl(["logs", "job/good", "--tail=1"]);
    expect(logs).toEqual({ code: 0, stdout: "hello\n", stderr: "" });
  });

  it("runs a CronJob's Job, whose failure policy sees the exit code", async () => {
    const policy = {
      podFailurePolicy: {
        rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [78] } }],
      },
      backoffLimit: 3,
    };
    await apply({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "sad" },
      spec: {
        schedule: "0 0 1 1 *",
        jobTemplate: { spec: { template: template(script("echo bad >&2; exit 78")), ...policy } },
      },
    });
    await cluster!.kubectl(["create", "job", "sad-now", "--from=cronjob/sad"]);
    const [failed] = await until("job sad-now", (found) =>
      (found[0]?.status?.conditions ?? []).some(({ type, status }) => type === "Failed" && status === "True"),
    );
    expect(failed?.status?.conditions?.find(({ type }) => type === "Failed")?.reason).toBe(
      "PodFailurePolicy",
    );
    const found = await until("pod -l job-name=sad-now", phase("Failed"));
    expect(found).toHaveLength(1);
    expect(ended(found)).toMatchObject({ exitCode: 78, reason: "Error" });
  });

  it("lays ConfigMaps, Secrets and empty folders out as files, and fills the environment", async () => {
    const command = script(
      [
        "cat /etc/rules/plain /etc/rules/deep/x.txt /etc/secrets/portal/tls.crt",
        "od -An -tx1 /etc/rules/bytes | tr -d ' '",
        "readlink /etc/rules/plain; stat -c %a -L /etc/secrets/portal/tls.key",
        'cat "$SECRETS/portal/tls.key"; echo "$PLAIN $POD $(GREETING) $UNSET"',
        "echo x > /tmp/scratch && ls /tmp; cd /app && ls LICENSE",
      ].join("; "),
    );
    await apply(
      pod(
        "files",
        template(command, {
          env: [
            { name: "SECRETS", value: "/etc/secrets" },
            { name: "PLAIN", valueFrom: { configMapKeyRef: { name: "rules", key: "plain" } } },
            { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            { name: "GREETING", value: "hello $(POD)" },
            { name: "UNSET", valueFrom: { secretKeyRef: { name: "none", key: "k", optional: true } } },
          ],
          volumeMounts: [
            { name: "rules", mountPath: "/etc/rules" },
            { name: "tls", mountPath: "/etc/secrets/portal", readOnly: true },
            { name: "tmp", mountPath: "/tmp" },
          ],
          volumes: [
            {
              name: "rules",
              configMap: {
                name: "rules",
                items: [
                  { key: "plain", path: "plain" },
                  { key: "x.txt", path: "deep/x.txt" },
                  { key: "bytes", path: "bytes" },
                ],
              },
            },
            { name: "tls", secret: { secretName: "portal-tls", defaultMode: 0o400 } },
            { name: "tmp", emptyDir: {} },
          ],
        }),
      ),
    );
    await until("pod files", phase("Succeeded"));
    expect(kubelet!.logs("files")).toBe(
      [
        "from a mapnestedcertificate0001ff",
        "..data/plain",
        "400",
        "keyfrom a map files hello files ",
        "scratch",
        "LICENSE",
        "",
      ].join("\n"),
    );
  });

  it("waits for a Secret that is not there, says so, and takes its newest content at the start", async () => {
    const env = [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "late", key: "token" } } }];
    const volumes = [{ name: "late", secret: { secretName: "late" } }];
    const mounted = { volumes, volumeMounts: [{ name: "late", mountPath: "/late" }] };
    await apply(
      pod("late-env", template(script('echo "$TOKEN"'), { env })),
      pod("late-file", template(script("cat /late/token"), mounted)),
    );
    const byEnv = await until("pod late-env", (found) => waiting(found)?.message !== undefined);
    expect(waiting(byEnv)).toEqual({
      reason: "CreateContainerConfigError",
      message: 'secret "late" not found',
    });
    const byFile = await until("pod late-file", (found) => waiting(found) !== undefined);
    expect(waiting(byFile)).toEqual({ reason: "ContainerCreating" });
    const { stdout } = await cluster!.kubectl(["describe", "pod", "late-file"]);
    expect(stdout).toContain('MountVolume.SetUp failed for volume "late" : secret "late" not found');
    await apply({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "late" },
      stringData: { token: "t1" },
    });
    await until("pod late-env", phase("Succeeded"));
    await until("pod late-file", phase("Succeeded"));
    expect([kubelet!.logs("late-env"), kubelet!.logs("late-file")]).toEqual(["t1\n", "t1"]);
  });

  it("ends a deleted pod with SIGTERM, and kills the one that does not listen", async () => {
    const polite = script("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done");
    const deaf = script("trap '' TERM; echo up; while :; do sleep 0.1; done");
    await apply(
      pod("polite", template(polite)),
      pod("deaf", template(deaf, { terminationGracePeriodSeconds: 1 })),
    );
    for (const name of ["polite", "deaf"]) await until(`pod ${name}`, () => kubelet!.logs(name) === "up\n");
    await cluster!.kubectl(["delete", "pod", "polite", "deaf", "--wait=false"]);
    for (const name of ["polite", "deaf"]) await until(`pod ${name}`, (found) => found.length === 0);
    expect([kubelet!.logs("polite"), kubelet!.logs("deaf")]).toEqual(["up\nbye\n", "up\n"]);
  });

  it("fails a pod that is active for too long", async () => {
    const command = ["node", "-e", "setInterval(() => {}, 1000)"];
    await apply(pod("slow", template(command, { activeDeadlineSeconds: 1 })));
    const found = await until("pod slow", phase("Failed"));
    expect(found[0]?.status).toMatchObject({ reason: "DeadlineExceeded" });
    expect(ended(found)).toMatchObject({ exitCode: 143, reason: "Error" });
  });

  it("keeps of a termination message the last 4096 bytes", async () => {
    const write = "process.stdout.write('a'.repeat(10) + 'b'.repeat(4096))";
    await apply(pod("long", template(script(`node -e "${write}" > /dev/termination-log; exit 3`))));
    const found = await until("pod long", phase("Failed"));
    expect(ended(found)).toMatchObject({ exitCode: 3, message: "b".repeat(4096) });
  });

  it("evicts, loses and fails pods at a test's word", async () => {
    const forever = template(script("while :; do sleep 0.1; done"));
    const ignore = { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] };
    await apply(job("moved", forever, { podFailurePolicy: { rules: [ignore] } }));
    const running = await until("pod -l job-name=moved", phase("Running"));
    kubelet!.evict(running[0]!.metadata.name);
    const replaced = await until(
      "pod -l job-name=moved",
      (found) => found.filter(({ status }) => status?.phase === "Running").length === 1 && found.length === 2,
    );
    expect(replaced.map(({ status }) => status?.reason ?? status?.phase).toSorted()).toEqual([
      "Evicted",
      "Running",
    ]);
    const second = replaced.find(({ status }) => status?.phase === "Running")!.metadata.name;
    await kubelet!.vanish(second);
    await until(`pod ${second}`, (found) => found.length === 0);
    await cluster!.kubectl(["delete", "job", "moved"]);

    kubelet!.failNext({ waiting: "ImagePullBackOff", message: "Back-off pulling image" }, "no-image");
    await apply(pod("no-image", template(["true"])));
    const stuck = await until("pod no-image", (found) => waiting(found)?.reason === "ImagePullBackOff");
    expect(waiting(stuck)?.message).toBe("Back-off pulling image");

    kubelet!.failNext({ exitCode: 137, reason: "OOMKilled" }, "too-big");
    await apply(pod("too-big", template(["true"])));
    expect(ended(await until("pod too-big", phase("Failed")))).toMatchObject({ reason: "OOMKilled" });
  });

  it("runs the pods of its own namespace only", async () => {
    const other = (await testCluster())!;
    await other.kubectl(["apply", "-f", "-"], { input: JSON.stringify(pod("stray", template(["true"]))) });
    await apply(pod("ours", template(["true"])));
    await until("pod ours", phase("Succeeded"));
    const { stdout } = await other.kubectl([
      "get",
      "pod",
      "stray",
      "-o",
      "jsonpath={.spec.nodeName}{.status.phase}",
    ]);
    expect(stdout).toBe("Pending");
    await other.remove();
  });

  it("runs what a CronJob starts when its time has come", async () => {
    const succeeded = ({ status }: Found): boolean => status?.phase === "Succeeded";
    const found = await until("pod -l app=minutely", (pods) => pods.some(succeeded));
    expect(kubelet!.logs(found.find(succeeded)!.metadata.name)).toBe("due\n");
  });
});

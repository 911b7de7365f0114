/**
 * The whole of it, in order: a manifest is applied, the real controllers make Job and Pod of it, a kubelet runs the real
 * harvester against an agency with mutual TLS into a real PostgreSQL, and the status tells what became of it. The controller
 * has the rights the installation gives it.
 */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { harvestctl } from "../run/program.js";
import { kubeconfigText, type Access } from "../setup/cluster-http.js";
import { testCluster } from "../setup/cluster.js";
import { testPostgres } from "../setup/postgres.js";
import { openAgency } from "../setup/story-agency.js";
import {
  apply,
  ask,
  bundleWith,
  certificateSecret,
  condition,
  events,
  furnish,
  manifest,
  must,
  openStage,
  row,
  run,
  secret,
  shippedRules,
  sourceName,
  sourceOf,
  stored,
  told,
  until,
  untilRun,
  untilStatus,
  type Stage,
} from "../setup/story-stage.js";

const cluster = await testCluster();
const other = cluster === undefined ? undefined : await testCluster();
const server = await testPostgres();
const playable = cluster !== undefined && !cluster.existing && server !== undefined;

describe.skipIf(!playable)("a source, from its manifest to its removal", { timeout: 240_000 }, () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage({ cluster: cluster!, other: other! }, server!);
  }, 120_000);
  afterAll(async () => {
    await stage.remove();
    await server?.stop();
  }, 60_000);

  it("is harvested by its schedule, and its status tells so", async () => {
    await apply(cluster!, manifest(stage.agency, { schedule: "* * * * *" }));
    const status = await untilStatus(cluster!, ({ lastRun }) => lastRun !== undefined, { seconds: 200 });
    expect(status.lastRun).toMatchObject({
      outcome: "complete",
      exitCode: 0,
      counts: { read: 30, inserted: 30 },
    });
    expect(status).toMatchObject({ records: 30, quarantined: 0, consecutiveFailures: 0 });
    expect(["Ready", "LastRunSucceeded", "Fresh", "Stalled"].map((type) => told(status, type))).toEqual([
      "True Scheduled",
      "True Complete",
      "True WithinSchedule",
      undefined,
    ]);
    expect(await row(cluster!)).toMatchObject({
      READY: "True",
      STATUS: "Fresh",
      RECORDS: "30",
      QUARANTINED: "0",
    });
    expect(await stored(stage)).toEqual({ living: 30, withdrawn: 0, quarantined: 0 });
    const clients = stage.agency.control.requests().last.map(({ clientName }) => clientName);
    expect(new Set(clients)).toEqual(new Set(["harvester.example"]));
  });

  it("takes the next schedule from the next manifest, and runs when asked to", async () => {
    await apply(cluster!, manifest(stage.agency));
    await untilStatus(
      cluster!,
      ({ installedSchedule, activeRuns = 0 }) => installedSchedule !== "* * * * *" && activeRuns === 0,
    );
    const status = await run(cluster!);
    expect(status.lastRun).toMatchObject({ outcome: "complete", counts: { inserted: 0, updated: 0 } });
  });

  it("tells what changed at the agency, and its watermark moves on", async () => {
    const before = (await sourceOf(cluster!))?.status?.watermark ?? "";
    stage.agency.edit((records, stamp) => {
      records.change(3, { stamp });
      records.delete(5, { stamp });
      records.add({ stamp });
      records.add({ stamp });
    });
    const status = await run(cluster!);
    expect(status.lastRun?.counts).toMatchObject({ read: 4, inserted: 2, updated: 1, withdrawn: 1 });
    expect(status).toMatchObject({ records: 31, quarantined: 0 });
    expect(Date.parse(status.watermark ?? "")).toBeGreaterThan(Date.parse(before));
    expect(await row(cluster!)).toMatchObject({ STATUS: "Fresh", RECORDS: "31" });
    expect(await stored(stage)).toEqual({ living: 31, withdrawn: 1, quarantined: 0 });
  });

  it("tells of a record that is refused, until the agency has mended it", async () => {
    stage.agency.edit((records, stamp) => records.change(7, { stamp, fault: "bbox-swapped" }));
    const refused = await run(cluster!);
    expect(refused.lastRun).toMatchObject({ outcome: "complete", counts: { quarantined: 1 } });
    expect(refused).toMatchObject({ records: 31, quarantined: 1 });
    expect(await row(cluster!)).toMatchObject({ STATUS: "Fresh", QUARANTINED: "1" });
    expect(await stored(stage)).toEqual({ living: 31, withdrawn: 1, quarantined: 1 });

    stage.agency.edit((records, stamp) => records.change(7, { stamp, fault: null }));
    expect(await run(cluster!)).toMatchObject({ records: 31, quarantined: 0 });
    expect(await row(cluster!)).toMatchObject({ QUARANTINED: "0" });
    expect(await stored(stage)).toEqual({ living: 31, withdrawn: 1, quarantined: 0 });
  });

  it("is judged by a new rule as soon as a new policy is delivered", async () => {
    const before = (await sourceOf(cluster!))?.status ?? {};
    const strict = bundleWith(cluster!.namespace, {
      "rules/geo-business-rules.sch": shippedRules("geo-business-rules.sch").replace(
        '<sch:assert id="identifier-present"',
        '<sch:assert id="nothing-goes" role="error" test="false()">Nothing is good enough any more.</sch:assert>\n$&',
      ),
    });
    await apply(cluster!, JSON.parse(strict.text) as object);
    await stage.stopController();
    stage.startController(strict.name);
    await untilStatus(cluster!, ({ policyBundle }) => policyBundle?.name === strict.name);
    stage.agency.edit((records, stamp) => records.change(9, { stamp }));
    const judged = await run(cluster!);
    expect(judged.policyBundle).toEqual({ name: strict.name, digest: strict.digest });
    expect(judged.policyDigest).not.toBe(before.policyDigest);
    expect(judged.quarantined).toBeGreaterThan(0);
    const refused = await stage.catalogue.query<{ rule: string }>(
      "SELECT DISTINCT rule FROM quarantine WHERE resolved_at IS NULL",
    );
    expect(refused).toEqual([{ rule: "nothing-goes" }]);
    const digest = await must(cluster!.kubectl, [
      ...["get", "cronjob", `harvest-${sourceName}`, "-o"],
      "jsonpath={.spec.jobTemplate.spec.template.metadata.annotations.ingest\\.geoportal\\.io/policy-digest}",
    ]);
    expect(digest).toBe(strict.digest);

    await stage.stopController();
    const nobody = await ctl("run-now", sourceName, "--wait", "--timeout", "1");
    expect(nobody).toMatchObject({ code: 2, stdout: "" });
    expect(nobody.stderr).toContain("error  No run was started within 1 s; the request stands.\n");
    stage.startController(stage.bundle.name);
    await untilStatus(cluster!, ({ policyBundle }) => policyBundle?.name === stage.bundle.name);
    stage.agency.edit((records, stamp) => {
      for (const index of [3, 7, 9, 30, 31]) records.change(index, { stamp });
    });
    expect(await run(cluster!)).toMatchObject({ quarantined: 0, policyDigest: before.policyDigest });
  });

  it("stalls without its policy, and says which is missing, untrue or incomplete", async () => {
    const stalled = async (reason: string) =>
      condition(await untilStatus(cluster!, (now) => told(now, "Stalled") === `True ${reason}`), "Stalled")
        ?.message;
    const { bundle } = stage;
    await must(cluster!.kubectl, ["delete", "configmap", bundle.name]);
    expect(await stalled("PolicyBundleMissing")).toBe(
      `There is no policy bundle ${bundle.name} in namespace ${cluster!.namespace}. Apply the one that harvestctl bundle wrote there, or name another one in the controller's configuration.`,
    );
    expect(await row(cluster!)).toMatchObject({ READY: "False", STATUS: "Stalled" });

    const { binaryData } = JSON.parse(bundleWith(cluster!.namespace, { "rules/extra.sch": "<x/>" }).text) as {
      binaryData: object;
    };
    await apply(cluster!, { ...(JSON.parse(bundle.text) as object), binaryData });
    expect(await stalled("BundleUntrue")).toContain(
      `The ConfigMap ${bundle.name} is not the bundle it says it is: its annotation says ${bundle.digest}, but its files have the digest `,
    );
    await must(cluster!.kubectl, ["delete", "configmap", bundle.name]);
    await apply(cluster!, JSON.parse(bundle.text) as object);
    await untilStatus(cluster!, (status) => told(status, "Ready") === "True Scheduled");

    const validation = { xsd: "schemas/iso19139.xsd", schematron: "rules/geo-busines-rules.sch" };
    await apply(cluster!, manifest(stage.agency, { validation }));
    expect(await stalled("PolicyMissingFile")).toContain("rules/geo-busines-rules.sch");
    await apply(cluster!, manifest(stage.agency));
    const status = await untilStatus(cluster!, (now) => told(now, "Ready") === "True Scheduled");
    expect(condition(status, "Stalled")).toBeUndefined();
    expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: "Fresh" });
  });

  it("goes on when the certificate is renewed, and names the certificate when it is refused", async () => {
    await apply(cluster!, certificateSecret(await stage.agency.rotate()));
    expect((await run(cluster!)).lastRun).toMatchObject({ outcome: "complete" });

    const next = await stage.agency.rotate();
    const denied = await run(cluster!);
    expect(denied.lastRun).toMatchObject({ outcome: "failed", exitCode: 77 });
    expect(condition(denied, "LastRunSucceeded")).toMatchObject({ status: "False" });
    expect(condition(denied, "LastRunSucceeded")?.message).toContain("certificate");
    expect(told(denied, "Ready")).toBe("True Scheduled");
    expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: "Denied", RECORDS: "31" });

    await apply(cluster!, certificateSecret(next));
    expect((await run(cluster!)).lastRun).toMatchObject({ outcome: "complete" });
    expect(await row(cluster!)).toMatchObject({ STATUS: "Fresh" });
  });

  it("stays Ready while the agency is dead, counts, rests, and recovers", async () => {
    await stage.agency.close();
    for (const times of [1, 2]) {
      const status = await run(cluster!);
      expect(status).toMatchObject({ consecutiveFailures: times, records: 31 });
      expect(status.lastRun).toMatchObject({ outcome: "failed", exitCode: 69 });
      expect(condition(status, "LastRunSucceeded")?.status).toBe("False");
      expect(told(status, "Ready")).toBe("True Scheduled");
      expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: `Failing(${String(times)})` });
    }
    const third = await run(cluster!);
    expect(third.consecutiveFailures).toBe(3);
    expect(Date.parse(third.notBefore ?? "")).toBeGreaterThan(Date.now());
    expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: "Resting" });

    await stage.agency.open();
    await rested();
    const status = await run(cluster!);
    expect(status).toMatchObject({ consecutiveFailures: 0, lastRun: { outcome: "complete" } });
    expect(status.notBefore).toBeUndefined();
    expect(await row(cluster!)).toMatchObject({ STATUS: "Fresh" });
    expect(await events(cluster!)).toContain("Normal RunRecovered");
  });

  it("rests as long as the agency asks for", async () => {
    // Longer than a run may wait (limits.maxRunSeconds).
    stage.agency.control.arm({ kind: "status", status: 503, retryAfter: 7 * 3600, times: 0 });
    const status = await run(cluster!);
    stage.agency.control.disarm();
    const minutes = (Date.parse(status.notBefore ?? "") - Date.parse(status.lastRun?.endTime ?? "")) / 60_000;
    expect(Math.round(minutes)).toBe(7 * 60);
    expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: "Resting" });

    const asked = stage.agency.control.requests().count;
    expect((await run(cluster!)).lastRun).toMatchObject({ code: "EndpointResting" });
    expect(stage.agency.control.requests().count).toBe(asked);
    await rested();
    expect((await run(cluster!)).lastRun).toMatchObject({ outcome: "complete" });
  });

  /** As if the time had passed. */
  async function rested(): Promise<void> {
    await stage.catalogue.query("UPDATE endpoint_state SET blocked_until = now() - interval '1 second'");
  }

  it("goes on in another pod when one vanishes", async () => {
    stage.agency.control.arm({ kind: "no-answer", verb: "ListRecords" });
    const value = await ask(cluster!);
    const pod = await until("A pod that waits for the agency", () =>
      Promise.resolve(
        stage.agency.control.requests().inFlight > 0
          ? stage.kubelet.pods().find(({ state }) => state === "running")
          : undefined,
      ),
    );
    await untilStatus(cluster!, ({ activeRuns }) => activeRuns === 1);
    expect(await row(cluster!)).toMatchObject({ STATUS: "Running" });
    await stage.kubelet.vanish(pod.name);
    stage.agency.control.disarm();
    expect((await untilRun(cluster!, value)).lastRun).toMatchObject({ outcome: "complete" });
  });

  it("tells of a run whose pods left no word and are gone", async () => {
    stage.kubelet.failNext({ exitCode: 1 }, `harvest-${sourceName}-`);
    stage.kubelet.failNext({ exitCode: 1 }, `harvest-${sourceName}-`);
    const value = await ask(cluster!);
    await untilStatus(cluster!, ({ activeRuns }) => activeRuns === 1);
    await stage.stopController();
    await until("The end of the Job", async () => {
      const reasons = await must(cluster!.kubectl, [
        ...["get", "jobs", "-o", "jsonpath={.items[*].status.conditions[*].reason}"],
      ]);
      return reasons.includes("BackoffLimitExceeded") ? reasons : undefined;
    });
    await must(cluster!.kubectl, ["delete", "pods", "--all", "--force"]);
    stage.startController(stage.bundle.name);
    const status = await untilRun(cluster!, value);
    expect(status.lastRun).toMatchObject({ outcome: "failed", code: "PodVanished" });
    expect(status.lastRun?.exitCode).toBeUndefined();
    expect(told(status, "LastRunSucceeded")).toBe("False PodVanished");
    expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: "Failing(1)" });
  });

  it("is held by the brake, which refuses runs that are asked for", async () => {
    const { kubectl, namespace } = cluster!;
    expect(await ctl("pause", sourceName, "--reason", "server move, ticket 4711")).toEqual({
      code: 0,
      stdout:
        `${namespace}/${sourceName} is paused.\n` +
        `To take the brake off: harvestctl resume ${sourceName} --namespace ${namespace}\n`,
      stderr: "",
    });
    const paused = await untilStatus(cluster!, (status) => told(status, "Paused") !== undefined);
    expect(condition(paused, "Paused")?.message).toContain("server move, ticket 4711");
    expect(told(paused, "Ready")).toBe("True Paused");
    expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: "Paused" });
    expect(await suspended()).toBe("true");
    expect((await ctl("get")).stdout).toContain('paused: "server move, ticket 4711"');

    const jobs = await must(kubectl, ["get", "jobs", "-o", "name"]);
    const refused = await ctl("run-now", sourceName, "--wait");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toMatch(/^NOT STARTED: Paused by annotation/);
    expect(await must(kubectl, ["get", "jobs", "-o", "name"])).toBe(jobs);
    await until("The event of the refusal", async () =>
      (await events(cluster!)).includes("Warning RequestRefused") ? true : undefined,
    );

    expect(await ctl("resume", sourceName)).toEqual({
      code: 0,
      stdout: `${namespace}/${sourceName} is resumed.\n`,
      stderr: "",
    });
    const status = await untilStatus(cluster!, (now) => told(now, "Ready") === "True Scheduled");
    expect(condition(status, "Paused")).toBeUndefined();
    expect(await suspended()).toBe("false");
    expect((await ctl("resume", sourceName)).stdout).toBe(`${namespace}/${sourceName} was not paused.\n`);
  });

  it("is held by a reviewed pause in its manifest", async () => {
    await apply(cluster!, manifest(stage.agency, { suspend: true }));
    const status = await untilStatus(cluster!, (now) => told(now, "Ready") === "True Suspended");
    expect(told(status, "Paused")).toBe("True SuspendedInSpec");
    expect(await suspended()).toBe("true");
    expect(await row(cluster!)).toMatchObject({ READY: "True", STATUS: "Suspended" });
    expect((await ctl("resume", sourceName)).stdout).toBe(
      `${cluster!.namespace}/${sourceName} was not paused. It stays suspended: spec.suspend is true, which Git decides.\n`,
    );
    await apply(cluster!, manifest(stage.agency));
    await untilStatus(cluster!, (now) => told(now, "Ready") === "True Scheduled");
    expect(await suspended()).toBe("false");
  });

  it("is run, shown and read with harvestctl", async () => {
    const done = await ctl("run-now", sourceName, "--wait", "--timeout", "90");
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toContain(`${cluster!.namespace}/${sourceName}: Fresh\n`);
    expect(done.stdout).toMatch(
      /\n {2}LastRunSucceeded {2}True {5}Complete: All records of all windows were read\.\n/,
    );
    expect(JSON.parse((await ctl("get", sourceName, "--json")).stdout)).toMatchObject({
      sources: [{ metadata: { name: sourceName }, status: { summary: "Fresh", records: 31 } }],
    });
    const logs = await ctl("logs", sourceName, "--tail", "1");
    expect(JSON.parse(logs.stdout)).toMatchObject({ event: "summary", outcome: "complete" });
    expect(logs.stderr).toMatch(/^Pod test-\w+\/harvest-state-gis-clearinghouse-\w+-\w+\n$/);

    const asked = await ctl("run-now", sourceName);
    expect(asked).toMatchObject({ code: 0, stdout: "" });
    const [, value = ""] = /requestedAt (\S+)\)/.exec(asked.stderr) ?? [];
    expect((await untilRun(cluster!, value)).lastRun).toMatchObject({ outcome: "complete" });
  });

  it("tells what a person who asks wrongly should do", async () => {
    const { namespace } = cluster!;
    const missing =
      `error  There is no HarvestSource no-such in namespace ${namespace}.\n` +
      `       harvestctl get --namespace ${namespace} lists those there are; --namespace names another one.\n`;
    for (const command of ["get", "run-now", "logs", "resume"])
      expect(await ctl(command, "no-such")).toEqual({ code: 2, stdout: "", stderr: missing });
    expect(await ctl("pause", sourceName, "--reason", "x", "--until", "2020-01-01T00:00:00Z")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error  --until 2020-01-01T00:00:00Z has passed: the pause would end at once.\n" +
        "       Give a time to come, or leave --until out.\n",
    });
    expect(await ctlAs({ HOME: "/nonexistent" }, "get")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error  There is no kubeconfig (KUBECONFIG is not set, ~/.kube/config does not exist), and this is no pod with a service account.\n" +
        "       Name one with --kubeconfig or KUBECONFIG.\n",
    });
    const told = async (access: Partial<Access>) => {
      const { code, stdout, stderr } = await ctlAs({ KUBECONFIG: kubeconfig(access) }, "get");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      return stderr;
    };
    // The account of the pods may do nothing.
    const token = (await must(cluster!.kubectl, ["create", "token", "harvest-pod"])).trim();
    expect(await told({ token })).toContain(
      `The service account ${namespace}/harvest-pod may not list harvestsources.ingest.geoportal.io in namespace ${namespace}`,
    );
    expect(await told({ token: "nobody's" })).toContain("The API server does not accept our credentials");
    expect(await told({ server: "https://127.0.0.1:1" })).toContain(
      "the API server at https://127.0.0.1:1 refused the connection",
    );
  });

  it("shows people what happened to it", async () => {
    const text = await must(cluster!.kubectl, ["describe", "hsrc", sourceName]);
    for (const reason of ["FirstRunComplete", "Stalled", "RunFailed", "RunRecovered", "Paused", "Resumed"])
      expect(text).toMatch(new RegExp(`^ {2}(Normal|Warning) +${reason} `, "m"));
  });

  it("is kept apart from a source of the same name in another namespace", async () => {
    const agency = await openAgency(12);
    const before = await stored(stage);
    await furnish(other!, { agency, catalogue: stage.catalogue, bundle: bundleWith(other!.namespace) });
    await apply(other!, manifest(agency, { deletions: { onSourceRemoval: "withdraw" } }));
    expect(await ctlAs({ KUBECONFIG: other!.kubeconfig }, "logs", sourceName)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`No pod of ${sourceName} is there`) as string,
    });
    const status = await run(other!);
    await agency.remove();
    expect(status).toMatchObject({ records: 12, lastRun: { counts: { read: 12, inserted: 12 } } });
    expect(await stored(stage, `${other!.namespace}/${sourceName}`)).toMatchObject({ living: 12 });
    expect(await stored(stage)).toEqual(before);
  });

  it("leaves its records when it is removed, and takes its children with it", async () => {
    const before = await stored(stage);
    await must(cluster!.kubectl, ["delete", "hsrc", sourceName, "--timeout=60s"]);
    await until("No child is left", async () => {
      const kinds = "cronjobs,jobs,pods,networkpolicies,configmaps";
      const ours = "app.kubernetes.io/managed-by=harvest-controller";
      return (await must(cluster!.kubectl, ["get", kinds, "-l", ours, "-o", "name"])) === ""
        ? true
        : undefined;
    });
    expect(await stored(stage)).toEqual(before);
  });

  it("withdraws its records when its manifest says so, and says what it waits for until then", async () => {
    const { kubectl } = cluster!;
    await apply(cluster!, manifest(stage.agency, { deletions: { onSourceRemoval: "withdraw" } }));
    await run(cluster!);
    const { metadata } = (await sourceOf(cluster!))!;
    expect(metadata.finalizers).toEqual(["ingest.geoportal.io/finalizer"]);
    await must(kubectl, ["delete", "secret", "harvest-database"]);
    await must(kubectl, ["delete", "hsrc", sourceName, "--wait=false"]);
    const job = `harvest-${sourceName}-w${metadata.uid!.replaceAll("-", "").slice(0, 9)}`;
    await until("The pod that withdraws waits", () =>
      Promise.resolve(
        stage.kubelet.pods().find(({ name, state }) => name.startsWith(job) && state === "waiting"),
      ),
    );
    expect(await row(cluster!)).toMatchObject({ READY: "False", STATUS: "Withdrawing" });
    expect(condition((await sourceOf(cluster!))?.status ?? {}, "Ready")?.message).toContain(
      `Job ${job} withdraws the records`,
    );
    expect(await stored(stage)).toMatchObject({ living: 31 });

    await apply(cluster!, secret("harvest-database", { DATABASE_URL: stage.catalogue.writerUrl }));
    await until("The source is gone", async () =>
      (await sourceOf(cluster!)) === undefined ? true : undefined,
    );
    expect(await stored(stage)).toMatchObject({ living: 0, quarantined: 0 });
    const [told] = await stage.catalogue.query(
      "SELECT count(*)::int AS removed FROM record JOIN source s ON s.id = source_id WHERE s.name = $1 AND deleted_reason = 'source-removed'",
      [`${cluster!.namespace}/${sourceName}`],
    );
    expect(told).toEqual({ removed: 31 });
    await until("The event of the withdrawal", async () =>
      (await events(cluster!)).includes("Normal RecordsWithdrawn") ? true : undefined,
    );
    expect(await stored(stage, `${other!.namespace}/${sourceName}`)).toMatchObject({ living: 12 });
  });

  it("does not hold up the deletion of its namespace", async () => {
    await must(other!.kubectl, ["delete", "namespace", other!.namespace, "--timeout=60s"]);
    expect(await sourceOf(other!)).toBeUndefined();
    expect(await stored(stage, `${other!.namespace}/${sourceName}`)).toMatchObject({ living: 12 });
  });

  async function suspended(): Promise<string> {
    return must(cluster!.kubectl, [
      "get",
      "cronjob",
      `harvest-${sourceName}`,
      "-o",
      "jsonpath={.spec.suspend}",
    ]);
  }

  function ctl(...args: readonly string[]): ReturnType<typeof ctlAs> {
    return ctlAs({ KUBECONFIG: cluster!.kubeconfig }, ...args);
  }

  async function ctlAs(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const { code, stdout, stderr } = await harvestctl(args, { cwd: import.meta.dirname, env });
    return { code, stdout, stderr };
  }

  /** One that differs from that of the administrator. */
  function kubeconfig(access: Partial<Access>): string {
    const path = join(dirname(cluster!.kubeconfig), "somebody");
    writeFileSync(path, kubeconfigText({ ...cluster!, ...access }, cluster!.namespace));
    return path;
  }
});

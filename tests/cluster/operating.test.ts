/** docs/operating.md as an operator follows it: each block, in order, on a control plane of this file's own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { LiveSource } from "../../controller/object.js";
import { commandBlocks } from "../docs/command-block.js";
import { kubeconfigText } from "../setup/cluster-http.js";
import { startControlPlane, type ControlPlane } from "../setup/control-plane.js";
import { startKubelet } from "../setup/kubelet.js";
import { openDesk } from "../setup/operator-desk.js";
import { testPostgres } from "../setup/postgres.js";
import { openCatalogue } from "../setup/story-catalogue.js";

const guide = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");

/** For each section of the guide that has blocks: what the output of each block must hold. */
const expected: Readonly<Record<string, readonly (readonly RegExp[])[]>> = {
  "Put it in": [
    [
      /^namespace\/harvest serverside-applied$/m,
      /^deployment\.apps\/harvest-controller serverside-applied$/m,
      /^validatingadmissionpolicy\.admissionregistration\.k8s\.io\/harvest-fair-use serverside-applied$/m,
      /^customresourcedefinition\S+\/harvestsources\.ingest\.geoportal\.io condition met$/m,
    ],
    [/^secret\/harvest-database created$/m, /^deployment "harvest-controller" successfully rolled out$/m],
  ],
  "Hand it a source": [
    [
      /^Warning: .*county-gis, which is delivered from Git: change the manifest there/m,
      ...["county-gis", "harbor-library", "state-gis-clearinghouse"].flatMap((name) => [
        new RegExp(`^harvestsource\\.ingest\\.geoportal\\.io/${name} created$`, "m"),
        new RegExp(`^harvestsource\\.ingest\\.geoportal\\.io/${name} condition met$`, "m"),
      ]),
      /^NAME +SCHEDULE +READY +STATUS +LAST SUCCESS +LAG +RECORDS +QUARANTINED +AGE$/m,
      /^county-gis +30 2 \* \* MON-FRI +True +(Waiting|Running) +\S+$/m,
      /^harbor-library +@daily +True +(Waiting|Running) +\S+$/m,
      /^state-gis-clearinghouse +0 \*\/6 \* \* \* +True +(Waiting|Running) +\S+$/m,
      /^FIELD: concurrency <Object>$/m,
      /requestsPerSecond\t<number>\n +Most requests started in a second\./,
      // Of explain; kubectl diff, which comes after it, adds nothing.
      /also across runs\.\s*$/,
    ],
    [
      /^Name: +county-gis$/m,
      /^ +Message: +Scheduled: runs at 02:44 on Monday to Friday \(America\/Chicago\), 14 minutes later than written\.$/m,
      /^ +Message: +No run has ended yet\.$/m,
      /^ +Installed Schedule: +44 2 \* \* MON-FRI$/m,
      /^ +Summary: +(Waiting|Running)$/m,
      /^SOURCE +STATUS +LAST SUCCESS +LAG +RECORDS +QUARANTINED +NEXT$/m,
      /^state-gis-clearinghouse +(Waiting|Running) +never +– +– +– +in \d/m,
      /^harvest\/county-gis: (Waiting|Running)\n +asks +https:\/\/catalog\.county\.example\.gov\/geonetwork/m,
      /^ +schedule +44 2 \* \* MON-FRI \(America\/Chicago\)$/m,
      /^ +last run +none has ended yet$/m,
      /^ +Ready +True +Scheduled: runs at 02:44/m,
    ],
  ],
  "Run now, pause, resume": [
    [
      /^Asked for a run of harvest\/harbor-library \(requestedAt /m,
      /^harvest\/county-gis is paused\.$/m,
      /^harvestsource\S+\/county-gis condition met$/m,
      /^county-gis +30 2 \* \* MON-FRI +True +Paused +\S+$/m,
      /^harvest\/county-gis is resumed\.$/m,
    ],
  ],
  "A new policy": [
    [
      /^harvest-policy-[0-9a-f]{12}: \d+ files, /m,
      /^configmap\/harvest-policy-[0-9a-f]{12} serverside-applied$/m,
    ],
  ],
  "See how it does": [
    [
      /^harbor-library +Failing\(1\) +never +– +0 +0 +in \S+ \S+; UnknownHost/m,
      /^county-gis +(Waiting|Running) /m,
      /^harvest\/harbor-library: Failing\(1\)$/m,
      /^ +last run +failed .* ago, exit code 69, Job harvest-harbor-library-[0-9a-f]{10}$/m,
      /^ +LastRunSucceeded +False +UnknownHost: The host library\.harbor\.example\.org is not known/m,
      /^Pod harvest\/harvest-harbor-library-[0-9a-f]{10}-\w+$/m,
      /"event":"summary".*"outcome":"failed","exitCode":69,"code":"UnknownHost"/,
    ],
    [
      /^harvest-controller-[0-9a-f]+-\w{5}_[0-9a-f-]{36}$/m,
      /"source":"harvest\/harbor-library".*"message":"A run ended: failed\./,
      /^(?![^]*(forbidden|"level":"error"))/,
      /Warning +RunFailed +harvestsource\/harbor-library +Run harvest-harbor-library-[0-9a-f]{10} was not complete/,
      /Normal +RequestHandled +harvestsource\/harbor-library /,
      /Normal +Paused +harvestsource\/county-gis +.*server move, ticket 4711$/m,
      /Normal +Resumed +harvestsource\/county-gis /,
    ],
  ],
  "Removing a source": [
    [
      /^harvestsource\.ingest\.geoportal\.io "harbor-library" deleted/m,
      /^No resources found in harvest namespace\.$/m,
    ],
  ],
  "Take it out": [
    [
      /^harvestsource\.ingest\.geoportal\.io "county-gis" deleted/m,
      /^deployment\.apps "harvest-controller" deleted/m,
      /^namespace "harvest" deleted$/m,
      /^customresourcedefinition\S* "harvestsources\.ingest\.geoportal\.io" deleted$/m,
    ],
  ],
};

const postgres = await testPostgres();
const plane = postgres === undefined ? undefined : await startControlPlane();
const stage = plane === undefined || postgres === undefined ? undefined : await openStage(plane);

async function openStage(cluster: ControlPlane) {
  const catalogue = await openCatalogue(postgres!);
  const desk = await openDesk({ plane: cluster, databaseUrl: catalogue.writerUrl });
  const kubeconfig = join(desk.folder, "controller.kubeconfig");
  // The place where a process finds its account is not this machine's to give: a file tells it the same.
  const kubelet = await startKubelet({ cluster, env: { KUBECONFIG: kubeconfig } });
  kubelet.pause();
  return { cluster, catalogue, desk, kubelet, kubeconfig };
}

afterAll(async () => {
  await stage?.kubelet.stop();
  await plane?.stop();
  stage?.desk.remove();
  await stage?.catalogue.remove();
  await postgres?.stop();
});

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await stage!.cluster.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** As the controller's pod would: a token of the account that was installed, and nothing else. */
async function startPods(): Promise<void> {
  const token = (await kubectl("-n", "harvest", "create", "token", "harvest-controller")).trim();
  writeFileSync(stage!.kubeconfig, kubeconfigText({ ...stage!.cluster, token }, "harvest"), { mode: 0o600 });
  stage!.kubelet.resume();
}

/** The run that was asked for has met an agency that is not there. */
async function runEnds(): Promise<void> {
  for (let waited = 0; waited < 600; waited += 1) {
    const text = await kubectl("-n", "harvest", "get", "hsrc", "harbor-library", "-o", "json");
    const { status } = JSON.parse(text) as LiveSource;
    if (status?.lastRun !== undefined) return;
    await wait(100);
  }
  throw new Error("The run of harbor-library did not end within 60 s.");
}

/** What happens in a cluster meanwhile, before the block of that name. */
const before: Readonly<Record<string, () => Promise<void>>> = {
  "Put it in 2": startPods,
  "See how it does 1": runEnds,
};

interface Block {
  readonly name: string;
  readonly text: string;
}

/** `Put it in 1`: heading, and which of its blocks. */
const blocks: readonly Block[] = guide.split(/^## /m).flatMap((section) => {
  const [heading = ""] = section.split("\n");
  return commandBlocks(section).map(({ text }, i) => ({ name: `${heading} ${String(i + 1)}`, text }));
});

const wanted = Object.entries(expected).flatMap(([heading, all]) =>
  all.map((words, i) => ({ name: `${heading} ${String(i + 1)}`, words })),
);

describe.skipIf(stage === undefined)("the guide of operators", { timeout: 180_000 }, () => {
  /** Nothing after a block that failed can be right. */
  let stopped: string | undefined;

  it("has the blocks that are known here", () => {
    expect(blocks.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
  });

  it.for(blocks)("$name", async ({ name, text }, { skip }) => {
    skip(stopped !== undefined, `${stopped ?? ""} failed`);
    stopped = name;
    await before[name]?.();
    const { code, output } = await stage!.desk.run(text);
    expect({ code, output }).toEqual({ code: 0, output });
    for (const words of wanted.find((one) => one.name === name)?.words ?? []) expect(output).toMatch(words);
    stopped = undefined;
  });

  it("leaves nothing in the cluster, and the database as the runs left it", async ({ skip }) => {
    skip(stopped !== undefined, `${stopped ?? ""} failed`);
    const kinds =
      "namespaces,crds,clusterroles,validatingadmissionpolicies,validatingadmissionpolicybindings";
    const left = (await kubectl("get", kinds, "-o", "name")).split("\n");
    expect(left.filter((name) => /\/harvest/.test(name))).toEqual([]);
    expect(await stage!.catalogue.query("SELECT name FROM source ORDER BY name")).toEqual([
      { name: "harvest/harbor-library" },
    ]);
  });
});

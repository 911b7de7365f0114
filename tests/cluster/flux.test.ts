/** Flux's own apply engine on a HarvestSource: what people add by hand goes, what our controller writes stays. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { testCluster } from "../setup/cluster.js";
import { fluxApply, type FluxChange } from "../setup/flux-apply.js";

const flux = await fluxApply();
const cluster = flux === undefined ? undefined : await testCluster();

afterAll(() => cluster?.remove());

const manifest = `
apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: state-metadata
spec:
  baseUrl: https://metadata.example.gov/oai
  metadataPrefix: oai_dc
  schedule: "0 */6 * * *"
`;

async function sync(text = manifest): Promise<readonly FluxChange["action"][]> {
  const { code, changes, stderr } = await flux!(text, cluster!);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return changes.map(({ action }) => action);
}

async function live(path: string): Promise<string> {
  const get = ["get", "hsrc", "state-metadata", "--show-managed-fields", "-o", `jsonpath={${path}}`];
  return (await cluster!.kubectl(get)).stdout;
}

async function kubectl(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await cluster!.kubectl(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

describe.skipIf(cluster === undefined)("a HarvestSource delivered by Flux", { timeout: 60_000 }, () => {
  it("is created, and left alone while nobody touches it", async () => {
    expect(await sync()).toEqual(["created"]);
    const version = await live(".metadata.resourceVersion");
    expect(await sync()).toEqual(["unchanged"]);
    expect(await live(".metadata.resourceVersion")).toBe(version);
    expect(await live(".metadata.labels.kustomize\\.toolkit\\.fluxcd\\.io/name")).toBe("sources");
  });

  it("loses what a person adds, because spec is one value with one owner", async () => {
    await kubectl(
      "patch",
      "hsrc",
      "state-metadata",
      "--type=merge",
      "-p",
      '{"spec":{"suspend":true,"sets":["a"]}}',
    );
    expect(await sync()).toEqual(["configured"]);
    expect(await live(".spec.suspend")).toBe("false");
    expect(await live(".spec.sets")).toBe("");
    expect(await live(".metadata.managedFields[*].manager")).toBe("kustomize-controller");
    expect(await sync()).toEqual(["unchanged"]);
  });

  it("loses also what another program adds, which Flux does not see where every field has its own owner", async () => {
    const { http, namespace } = cluster!;
    const path = `/apis/ingest.geoportal.io/v1/namespaces/${namespace}/harvestsources/state-metadata`;
    const body = { spec: { suspend: true } };
    const type = "application/merge-patch+json";
    expect((await http("PATCH", `${path}?fieldManager=my-script`, { body, type })).status).toBe(200);
    expect(await sync()).toEqual(["configured"]);
    expect(await live(".spec.suspend")).toBe("false");
  });

  it("keeps the annotations of people and the status of the controller", async () => {
    await kubectl("annotate", "hsrc", "state-metadata", "ingest.geoportal.io/paused=outage");
    const status = {
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      metadata: { name: "state-metadata" },
      status: { observedGeneration: 1, summary: "Fresh" },
    };
    const file = join(cluster!.kubeconfig, "../status.json");
    writeFileSync(file, JSON.stringify(status));
    await kubectl(
      "apply",
      "--server-side",
      "--subresource=status",
      "--field-manager=harvest-controller",
      "--force-conflicts",
      "-f",
      file,
    );
    await sync();
    expect(await sync()).toEqual(["unchanged"]);
    expect(await live(".status.summary")).toBe("Fresh");
  });

  it("follows its manifest", async () => {
    expect(await sync(manifest.replace("0 */6", "30 */6"))).toEqual(["configured"]);
    expect(await live(".spec.schedule")).toBe("30 */6 * * *");
  });

  it("is refused with the server's sentence when the manifest is wrong", async () => {
    const { code, stderr } = await flux!(manifest.replace("https://", "ftp://"), cluster!);
    expect(code).toBe(1);
    expect(stderr).toContain("baseUrl must be an absolute http or https address");
  });
});

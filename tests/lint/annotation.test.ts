/** An exception stands in the manifest, so the API server must take the manifest with it: the longest one lint reads. */
import { afterAll, describe, expect, it } from "vitest";
import { testCluster } from "../setup/cluster.js";
import { manifest } from "./policy-folder.js";

const cluster = await testCluster();

afterAll(() => cluster?.remove());

const line = `transport/cleartext until 2099-01-31: ${"no TLS, ä€😀 ".repeat(30)}`.slice(0, 300);
const annotation = Array.from({ length: 20 }, () => `      ${line}\n`).join("");

describe.skipIf(cluster === undefined)("the API server", () => {
  it("takes a manifest with the longest exceptions", async () => {
    const metadata = `  annotations:\n    ingest.geoportal.io/lint-ignore: |\n      # agreed\n\n${annotation}`;
    const path = `/apis/ingest.geoportal.io/v1/namespaces/${cluster!.namespace}/harvestsources`;
    const answer = await cluster!.http("POST", `${path}?dryRun=All&fieldValidation=Strict`, {
      body: manifest("county", "", metadata),
      type: "application/yaml",
    });
    expect(answer.status, answer.text).toBe(201);
  });
});

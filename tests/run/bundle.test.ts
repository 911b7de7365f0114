/** The policy's way in one piece: harvestctl bundle packs it, a pod unpacks the mounted file, and what was reviewed is what runs. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bundleConfigMap } from "../../source/bundle/bundle-config-map.js";
import { packBundle } from "../../source/bundle/pack-bundle.js";
import { readPolicyFolder } from "../../cli/bundle-files.js";
import { testData } from "../setup/test-data.js";
import { pod, type Pod } from "./pod.js";
import { harvestctl, workplace, type Workplace } from "./program.js";

let place: Workplace;
let here: Pod;
beforeEach(() => {
  place = workplace();
  here = pod();
});
afterEach(() => {
  place.remove();
  here.remove();
});

describe("harvestctl bundle", () => {
  it("writes what a pod takes: same digest, and a manifest's files are found", async () => {
    const written = await harvestctl(["bundle"], place);
    expect(written.code).toBe(0);
    const configMap = parse(written.stdout) as {
      metadata: { annotations: Record<string, string> };
      binaryData: Record<string, string>;
    };
    const digest = configMap.metadata.annotations["ingest.geoportal.io/policy-digest"] ?? "";
    expect(written.stderr).toContain(digest);
    mkdirSync(join(here.dir, "bundle"));
    for (const [key, base64] of Object.entries(configMap.binaryData))
      writeFileSync(join(here.dir, "bundle", key), Buffer.from(base64, "base64"));
    here.manifest("http://127.0.0.1:9/oai");
    // A store that is down is asked after the bundle was accepted.
    const env = { HARVEST_BUNDLE_DIGEST: digest, DATABASE_URL: "postgres://u@127.0.0.1:9/none" };
    const { message } = await here.run(env);
    expect(message).toMatchObject({ code: "DatabaseDown", exitCode: 74 });
    const laidOut = await readPolicyFolder(join(here.dir, "policy"));
    expect(packBundle(laidOut.files).digest).toBe(digest);
  });

  it("--check is for CI: 0 as long as nothing changed, then 1", async () => {
    await harvestctl(["bundle", "--out", "policy.yaml"], place);
    expect((await harvestctl(["bundle", "--check", "policy.yaml"], place)).code).toBe(0);
    place.write("rules/fair-use.yaml", "default: { maxRequests: 1 }\n");
    const stale = await harvestctl(["bundle", "--check", "policy.yaml"], place);
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain("  ~ rules/fair-use.yaml\n");
  });
});

describe.skipIf(testData("xsd") === undefined)("the official schemas", () => {
  it("of ISO 19139 and ISO 19115-3 fit a ConfigMap, each and all together", async () => {
    const sizes: Record<string, number> = {};
    const all = new Map<string, Uint8Array>();
    for (const tree of ["iso19139-2006", "iso19139-2007", "iso19115-3"]) {
      const { files } = await readPolicyFolder(copied(tree));
      for (const [path, bytes] of files) all.set(`schemas/${tree}/${path}`, bytes);
      sizes[tree] = packBundle(files).bytes.length;
    }
    const packed = packBundle(all);
    expect(bundleConfigMap({ packed }).kind).toBe("made");
    // Orders of size: another zlib may pack a little better or worse.
    for (const bytes of Object.values(sizes)) expect(bytes).toBeLessThan(140_000);
    expect(packed.bytes.length).toBeLessThan(400_000);
  });

  /** The tree as the schemas/ of a policy root. */
  function copied(tree: string): string {
    const base = join(here.dir, tree);
    mkdirSync(base);
    cpSync(testData("xsd", tree) ?? "", join(base, "schemas"), { recursive: true });
    return base;
  }
});

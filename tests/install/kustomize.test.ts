/** What kustomize builds is what is checked in, and what harvestctl install prints; and nothing generated is stale. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { bundleDifferences } from "../../cli/bundle-check.js";
import { readPolicyFolder } from "../../cli/bundle-files.js";
import { bundleObjects } from "../../cli/bundle-objects.js";
import { readInstallFiles } from "../../cli/install-files.js";
import { installObjects, type InstallWish } from "../../cli/install-objects.js";
import { parseControllerConfig } from "../../source/controller-config/parse.js";
import {
  folderOf,
  idOf,
  installFolder,
  kubectl,
  kustomize,
  kustomizeTexts,
  manifestsIn,
  readFile,
  root,
  shapes,
  type Manifest,
  type Shape,
} from "./overlays.js";

const { files } = await readPolicyFolder(root);
const { objects: policy } = bundleObjects({ files, fairUse: true, kustomize: true });

/** Of the policy repository, not of the installation: harvestctl install packs them anew. */
function isPolicy({ kind, metadata }: Manifest): boolean {
  return (
    kind === "CustomResourceDefinition" ||
    (metadata.name === "harvest-fair-use" && kind === "ConfigMap") ||
    metadata.labels?.["ingest.geoportal.io/policy-bundle"] === "true"
  );
}

describe("the policy in manifests/install", () => {
  it("is that of schemas/ and rules/ (else: harvestctl bundle --fair-use --kustomize --out …/policy.yaml)", () => {
    const text = readFile("manifests/install/policy/policy.yaml");
    expect(bundleDifferences(text, { files, objects: policy })).toEqual([]);
  });

  it.each(["roles.sql", "grants.sql"])("has %s as the store has it", (file) => {
    expect(readFile(`manifests/install/components/database/${file}`)).toBe(
      readFile(`harvester/persist/migrations/roles/${file}`),
    );
  });
});

describe.skipIf(kubectl === undefined)("kustomize", () => {
  it.each(shapes)("builds %s as it is checked in (else: vitest -u)", async (shape) => {
    const objects = manifestsIn(kustomize(folderOf(shape))).filter((object) => !isPolicy(object));
    const text = objects.map((object) => stringify(object, { version: "1.1", lineWidth: 0 })).join("---\n");
    await expect(
      `# Built by kustomize from manifests/install and kept fresh by tests/install; harvestctl install reads it.\n${text}`,
    ).toMatchFileSnapshot(join(installFolder, `rendered/${shape}.yaml`));
  });

  it("builds the default, manifests/install, as the namespaced overlay", () => {
    expect(kustomize(installFolder)).toBe(kustomize(folderOf("namespaced")));
  });

  const images = {
    controller: `registry.example.org/c@sha256:${"a".repeat(64)}`,
    harvester: `registry.example.org/h@sha256:${"b".repeat(64)}`,
  };
  const named = shapes.filter((shape) => shape !== "source-namespace");
  it.each(named)("agrees with harvestctl install about %s", async (shape) => {
    const printed = await install(shape, { namespace: namespaceOf(shape), images: {} });
    expect(comparable(printed)).toEqual(comparable(manifestsIn(kustomize(folderOf(shape)))));
  });

  it.each(shapes)("agrees with harvestctl install about %s elsewhere, with other images", async (shape) => {
    const printed = await install(shape, { namespace: "geo", images });
    const built = manifestsIn(kustomizeTexts(elsewhere(shape, images)));
    expect(comparable(printed)).toEqual(comparable(built));
  });
});

function namespaceOf(shape: Shape): string {
  return shape === "namespaced" ? "harvest" : "harvest-system";
}

async function install(
  shape: Shape,
  wish: Pick<InstallWish, "namespace" | "images">,
): Promise<readonly Manifest[]> {
  const made = bundleObjects({ files, fairUse: true, kustomize: false });
  const read = await readInstallFiles(root, shape);
  return installObjects({ shape, policy: made.objects, ...read, ...wish }) as readonly Manifest[];
}

/** As docs/install.md tells people to do it who take another namespace with kustomize. */
function elsewhere(
  shape: Shape,
  images: { readonly controller: string; readonly harvester: string },
): Readonly<Record<string, string>> {
  const install = "{root}/manifests/install";
  if (shape === "source-namespace")
    return { ".": stringify({ namespace: "geo", resources: [`${install}/source-namespace`] }) };
  const overlay = shape === "namespaced" ? shape : "cluster-wide";
  const [newName = "", digest = ""] = images.controller.split("@");
  const configuration = readFile(`manifests/install/overlays/${overlay}/controller/controller.yaml`)
    .replace(/image: .*/, `image: ${images.harvester}`)
    .replace(/policyBundle: .*/, `policyBundle: ${policy[0]?.metadata.name ?? ""}`)
    .replace('"harvest"', "geo");
  const controller = {
    namespace: "geo",
    resources: [`${install}/overlays/${overlay}/controller`],
    images: [{ name: "ghcr.io/geoportal/harvest-controller", newName, digest }],
    configMapGenerator: [
      {
        name: "harvest-controller-config",
        namespace: namespaceOf(shape),
        behavior: "merge",
        literals: [`controller.yaml=${configuration}`],
      },
    ],
  };
  const components = {
    namespaced: ["admission"],
    "cluster-wide": ["admission-central"],
    "high-availability": ["admission-central", "high-availability"],
  }[shape].map((name) => `${install}/components/${name}`);
  return { controller: stringify(controller), ".": stringify({ resources: ["controller"], components }) };
}

/** By kind, namespace and name; packed bytes and the hash in a name depend on who packs and names. */
function comparable(objects: readonly Manifest[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    objects.map((object) => {
      const { binaryData, data, ...rest } = JSON.parse(
        JSON.stringify(object).replaceAll(
          /harvest-controller-config-[0-9a-z]{10}"/g,
          'harvest-controller-config-hash"',
        ),
      ) as Manifest;
      const isConfiguration =
        object.kind === "ConfigMap" && object.metadata.name.startsWith("harvest-controller-config-");
      const configured = isConfiguration ? configOf(object) : data;
      return [idOf(rest as Manifest), { ...rest, data: configured, packed: binaryData !== undefined }];
    }),
  );
}

function configOf({ data }: Manifest): unknown {
  const { config, findings } = parseControllerConfig(
    (data as Readonly<Record<string, string>>)["controller.yaml"] ?? "",
    "controller.yaml",
  );
  return { config, findings };
}

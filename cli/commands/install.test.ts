import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import Install from "./install.js";

const repository = join(import.meta.dirname, "../..");
const byDigest = {
  controller: `r.example.org/c@sha256:${"a".repeat(64)}`,
  harvester: `r.example.org/h@sha256:${"b".repeat(64)}`,
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "install-"));
  mkdirSync(join(folder, "rules"));
  writeFileSync(join(folder, "rules/fair-use.yaml"), "hosts: { a.example.gov: { maxRequests: 7 } }\n");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
});

interface Ran {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

/** Runs the command on the folder of this test. */
async function install(...args: readonly string[]): Promise<Ran> {
  const written = { out: "", err: "" };
  const catchInto = (stream: "out" | "err") => (text: string | Uint8Array) => {
    written[stream] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation((text) => catchInto("out")(`${String(text)}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => catchInto("err")(`${String(text)}\n`)),
    vi.spyOn(process.stdout, "write").mockImplementation(catchInto("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(catchInto("err")),
  ];
  process.exitCode = 0;
  try {
    await Install.run(["--root", folder, ...args], repository);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { code: process.exitCode, ...written };
}

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

function printed({ out }: Ran): readonly Printed[] {
  return parseAllDocuments(out).map((document) => document.toJS() as Printed);
}

function configuration(objects: readonly Printed[]): {
  watchNamespaces: string[];
  harvester: Readonly<Record<string, string>>;
} {
  const found = objects.find(({ metadata }) => metadata.name.startsWith("harvest-controller-config-"));
  return parse(found?.data?.["controller.yaml"] ?? "") as ReturnType<typeof configuration>;
}

const images = ["--image-controller", byDigest.controller, "--image-harvester", byDigest.harvester];

describe("harvestctl install", () => {
  it("prints everything for one namespace, with the policy of the folder and the images that were named", async () => {
    const ran = await install("--print", "--namespace", "geo", ...images);
    expect(ran.code).toBe(0);
    const objects = printed(ran);
    expect(objects.slice(0, 4).map(({ kind, metadata }) => `${kind} ${metadata.name.slice(0, 24)}`)).toEqual([
      "Namespace geo",
      "CustomResourceDefinition harvestsources.ingest.ge",
      "ConfigMap harvest-policy-cd3742225",
      "ConfigMap harvest-fair-use",
    ]);
    expect(objects.find(({ metadata }) => metadata.name === "harvest-fair-use")?.data).toEqual({
      "a.example.gov": "7",
    });
    expect(configuration(objects)).toMatchObject({
      watchNamespaces: ["geo"],
      harvester: { image: byDigest.harvester, policyBundle: objects[2]?.metadata.name },
    });
    const deployment = objects.find(({ kind }) => kind === "Deployment");
    expect(deployment?.spec?.template.spec.containers.map(({ image }) => image)).toEqual([
      byDigest.controller,
    ]);
    expect(new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))).toEqual(new Set(["geo"]));
    expect(ran.err).toBe(
      "Next: kubectl create secret generic harvest-database -n geo --from-file=DATABASE_URL=FILE\n",
    );
  });

  it("prints the same bytes each time", async () => {
    expect((await install("--print")).out).toBe((await install("--print")).out);
  });

  it("says what would not work, or not last", async () => {
    const ran = await install(
      "--print",
      "--overlay",
      "high-availability",
      "--image-controller",
      "r.example.org/c:1",
    );
    expect(ran.err).toBe(
      "warning: r.example.org/c:1 is no digest: what runs may change without anybody reviewing it.\n" +
        "warning: --image-harvester is not set: a placeholder stands there, and no pod will start.\n" +
        "Next, for each namespace with sources: harvestctl install --print --overlay source-namespace --namespace NAMESPACE\n",
    );
    expect(configuration(printed(ran)).watchNamespaces).toEqual([]);
    expect(printed(ran).some(({ metadata }) => metadata.name.startsWith("harvest-policy-"))).toBe(false);
  });

  it("prints for a policy without ceilings no ceilings, and says so", async () => {
    rmSync(join(folder, "rules/fair-use.yaml"));
    writeFileSync(join(folder, "rules/a.sch"), "<schema/>");
    const ran = await install("--print", ...images);
    expect(
      printed(ran).some(({ metadata, kind }) => metadata.name === "harvest-fair-use" && kind === "ConfigMap"),
    ).toBe(false);
    expect(ran.err).toContain(
      "warning: There is no rules/fair-use.yaml: admission refuses no source for asking too much.\n",
    );
  });

  it("prints beside a cluster-wide controller what a namespace with sources needs", async () => {
    const ran = await install("--print", "--overlay", "source-namespace", "-n", "geo");
    expect(
      printed(ran).map(
        ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name.slice(0, 14)}`,
      ),
    ).toEqual([
      "ServiceAccount geo/harvest-pod",
      "NetworkPolicy geo/harvest-pods-d",
      "ConfigMap geo/harvest-policy",
    ]);
  });

  it("gives the objects under --json", async () => {
    const { out } = await install("--print", "--json");
    expect((JSON.parse(out) as { objects: readonly Printed[] }).objects[0]?.kind).toBe("Namespace");
  });

  const mistakes = [
    { name: "no --print", args: [], said: "Missing required flag print" },
    {
      name: "no namespace where none is usual",
      args: ["--print", "--overlay", "source-namespace"],
      said: "Name it with --namespace.",
    },
    {
      name: "a namespace that is none",
      args: ["--print", "-n", "Geo_1"],
      said: '"Geo_1" can be no namespace.',
    },
    {
      name: "an image that is none",
      args: ["--print", "--image-harvester", "a b"],
      said: '--image-harvester "a b" is no name of an image.',
    },
    {
      name: "an overlay that is none",
      args: ["--print", "--overlay", "helm"],
      said: "Expected --overlay=helm to be one of",
    },
  ];
  it.each(mistakes)("ends with 2 on $name", async ({ args, said }) => {
    const ran = await install(...args);
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 2, out: "" });
    expect(ran.err).toContain(said);
  });

  it("ends with 2 where there is no policy", async () => {
    rmSync(join(folder, "rules"), { recursive: true });
    const ran = await install("--print");
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("There is no file in schemas/ or rules/");
  });
});

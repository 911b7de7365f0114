/** --live: what the cluster has that nobody reviewed, and what its API server would say to the head. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testCluster } from "../setup/cluster.js";
import { diffDesk, manifest, policy, type DiffDesk } from "./diff-desk.js";

const cluster = await testCluster();

describe.skipIf(cluster === undefined)("harvestctl diff --live", { timeout: 60_000 }, () => {
  let desk: DiffDesk;

  beforeAll(async () => {
    desk = diffDesk();
    for (const file of ["sources/one.yaml", "sources/two.yaml"])
      expect(await cluster!.kubectl(["apply", "-f", join(desk.repository.folder, file)])).toMatchObject({
        code: 0,
      });
    const suspend = ["patch", "hsrc", "two", "--type=merge", "-p", '{"spec":{"suspend":true}}'];
    expect(await cluster!.kubectl([...suspend, "--field-manager=somebody"])).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    desk.remove();
    await cluster?.remove();
  });

  function live(...args: string[]): ReturnType<DiffDesk["diff"]> {
    return desk.diff([
      "--base",
      "main",
      "--live",
      "--kubeconfig",
      cluster!.kubeconfig,
      "--namespace",
      cluster!.namespace,
      ...args,
    ]);
  }

  it("tells a hand edit with its author, and that the head would be accepted; it changes nothing", async () => {
    writeFileSync(
      join(desk.repository.folder, "sources/two.yaml"),
      manifest({ name: "two", spec: "  concurrency: { maxRequests: 2 }\n" }),
    );
    const { code, out } = await live("--format", "json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      live: [
        {
          source: "two",
          drift: [
            {
              field: "spec.suspend",
              base: false,
              live: true,
              manager: "somebody",
              time: expect.stringMatching(/^\d{4}-/) as string,
            },
          ],
          dryRun: { accepted: true, messages: [] },
        },
      ],
      consequences: expect.arrayContaining([expect.objectContaining({ id: "drift-overwritten" })]) as unknown,
    });
    const stored = await cluster!.kubectl([
      "get",
      "hsrc",
      "two",
      "-o",
      "jsonpath={.spec.concurrency.maxRequests}",
    ]);
    expect(stored.stdout).toBe("1");
  });

  it("tells what the server would refuse, in its words", async () => {
    writeFileSync(
      join(desk.repository.folder, "sources/new.yaml"),
      (policy["sources/two.yaml"] ?? "")
        .replace("name: two", "name: new")
        .replace("https://", "http://")
        .replace("spec:\n", "spec:\n  transport: { mtls: true }\n"),
    );
    const { code, out } = await live("--format", "md");
    expect(code).toBe(1);
    expect(out).toContain("`server-refuses`");
    expect(out).toMatch(/- `new`: the head \*\*would be refused\*\*/);
  });

  it("ends with 2 when there is no cluster to ask", async () => {
    const { code, err } = await desk.diff(["--base", "main", "--live", "--kubeconfig", "/no/such/config"]);
    expect(code).toBe(2);
    expect(err).toContain("/no/such/config");
  });
});

/** With a store the figures of a review are real: records of a real run, and changed rules tried on them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../harvester/open-database.js";
import { openStore } from "../../harvester/persist/open-store.js";
import { dc, harvestRecords } from "../impact/impact-stage.js";
import { sourceOf } from "../run/scene.js";
import { diffDesk, type DiffDesk } from "./diff-desk.js";

const house = join(import.meta.dirname, "../..");
const rules = readFileSync(join(house, "rules/oai-dc-rules.sch"), "utf8");
const spec = { validation: { schematron: "rules/oai-dc-rules.sch", onFailure: "quarantine" } } as const;

describe("harvestctl diff with a store", { timeout: 120_000 }, () => {
  let desk: DiffDesk;
  const manifest = JSON.stringify(sourceOf("https://agency.example/oai", spec, "roads"), null, 2);

  beforeAll(async () => {
    desk = diffDesk({
      "sources/roads.yaml": manifest,
      "rules/oai-dc-rules.sch": rules,
      "rules/fair-use.yaml": "default: { maxRequests: 4 }\n",
      ".gitignore": ".harvest/\n",
    });
    const db = await openDatabase({ directory: join(desk.repository.folder, ".harvest") });
    const store = openStore(db);
    const records = { "a.xml": dc(), "b.xml": dc({ title: "Bridges" }), "c.xml": dc({ rights: "" }) };
    const run = await harvestRecords(records, { name: "roads", policy: desk.repository.folder, store, spec });
    expect(run).toMatchObject({ outcome: "complete", counts: { inserted: 3 } });
    await store.close();
    await db.close();
  }, 120_000);
  afterAll(() => {
    desk.remove();
  });

  it("counts what would be read again, and what a rule would refuse", async () => {
    const { folder } = desk.repository;
    writeFileSync(
      join(folder, "sources/roads.yaml"),
      manifest.replace("agency.example/oai", "agency.example/oai2"),
    );
    const moved = await desk.diff(["--base", "main"]);
    expect(moved.out).toMatch(/all 3 records/);
    expect(moved.out).not.toContain("No store was asked");
    writeFileSync(join(folder, "sources/roads.yaml"), manifest);
    writeFileSync(
      join(folder, "rules/oai-dc-rules.sch"),
      rules.replace('id="dc-rights-present" role="warning"', 'id="dc-rights-present" role="error"'),
    );
    const stricter = await desk.diff(["--base", "main"]);
    expect(stricter.out).toMatch(/Of 3 stored records judged\s+by both sides, 1 would be newly quarantined/);
  });

  it("goes on without a store that cannot be opened, and says so", async () => {
    const url = process.env["DATABASE_URL"];
    process.env["DATABASE_URL"] = "postgres://somebody:hunter2@127.0.0.1:1/nowhere";
    try {
      const { code, out } = await desk.diff(["--base", "main", "--head", "main"]);
      expect(code).toBe(0);
      expect(out).toContain("The store could not be asked:");
      expect(out).not.toContain("hunter2");
    } finally {
      if (url === undefined) delete process.env["DATABASE_URL"];
      else process.env["DATABASE_URL"] = url;
    }
  });
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRepository } from "../../cli/git/repository.js";
import { workingTreeSide } from "../../cli/review/working-tree-side.js";
import { Fault } from "../../harvester/fault.js";
import { diffDesk, manifest, policy, runDiff, type DiffDesk } from "./diff-desk.js";

describe("harvestctl diff with bad input", () => {
  let desk: DiffDesk;
  let folder = "";
  beforeEach(() => {
    desk = diffDesk();
    folder = mkdtempSync(join(tmpdir(), "bad-input-"));
  });
  afterEach(() => {
    desk.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(path: string, text: string): void {
    writeFileSync(join(desk.repository.folder, path), text);
  }

  it("no Git repository", async () => {
    const { code, out, err } = await runDiff(["--base", "main"], folder);
    expect({ code, out, err }).toEqual({
      code: 2,
      out: "",
      err: "error  The current directory is in no Git repository, so there is no history to compare with.\n       Go to the policy repository, or compare two folders: --base FOLDER --head FOLDER.\n",
    });
  });

  it("no git program", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = folder;
    try {
      const { code, err } = await desk.diff(["--base", "main"]);
      expect([code, err]).toEqual([2, expect.stringContaining("There is no program git") as string]);
    } finally {
      process.env["PATH"] = path;
    }
  });

  it("an unknown ref, with the one that was perhaps meant", async () => {
    const { code, err } = await desk.diff(["--base", "origin/main"]);
    expect(code).toBe(2);
    expect(err).toContain('There is no commit "origin/main" in this repository.');
    expect(err).toContain("Did you mean main? git fetch brings what others pushed");
  });

  it.each(["--upload-pack=touch x", "-h", "main^{tree}", "main:sources", "", "a\u0000b", "x".repeat(300)])(
    "a ref that is none: %j",
    async (ref) => {
      const { code, err } = await desk.diff([`--base=${ref}`]);
      expect(code).toBe(2);
      expect(err).toContain("There is no commit");
    },
  );

  it("a shallow clone without the base", async () => {
    desk.repository.commit({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--quiet", "--depth=1", "--branch=change", desk.repository.url, clone]);
    const { code, err } = await runDiff(["--base", "origin/main"], clone);
    expect(code).toBe(2);
    expect(err).toContain("it is shallow, its history is cut off");
    expect(err).toContain("fetch-depth: 0");
  });

  it("a shallow clone that ends before both sides meet", async () => {
    desk.repository.commit({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
    desk.repository.git("checkout", "--quiet", "main");
    desk.repository.commit({ "sources/three.yaml": manifest({ name: "three" }) });
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--quiet", "--depth=1", "--no-single-branch", desk.repository.url, clone]);
    const { code, err } = await runDiff(["--base", "origin/main", "--head", "origin/change"], clone);
    expect(code).toBe(2);
    expect(err).toContain("lies beyond the end of this shallow clone");
    expect(err).toContain("fetch-depth: 0");
  });

  it("an index with both sides of a merge; a commit can be compared still", async () => {
    desk.repository.commit({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
    desk.repository.git("checkout", "--quiet", "main");
    desk.repository.commit({
      "sources/two.yaml": manifest({ name: "two", spec: "  timeZone: Europe/Rome\n" }),
    });
    expect(() => desk.repository.git("merge", "--quiet", "change")).toThrow();
    const { code, err } = await desk.diff(["--base", "change"]);
    expect(code).toBe(2);
    expect(err).toContain('A merge or rebase is not finished: "sources/two.yaml" still has both sides.');
    expect((await desk.diff(["--base", "change", "--head", "HEAD"])).code).toBe(0);
  });

  it("a file deleted between the look at the folder and the reading", async () => {
    const side = await workingTreeSide(await openRepository(desk.repository.folder));
    unlinkSync(join(desk.repository.folder, "sources/two.yaml"));
    const reading = side.read(["sources/two.yaml"], 1000);
    await expect(reading).rejects.toThrow(Fault);
    await expect(side.read(["sources/two.yaml"], 1000)).rejects.toThrow(
      '"sources/two.yaml" was deleted or replaced while it was about to be read.',
    );
  });

  it("a file deleted, and not committed, is removed", async () => {
    unlinkSync(join(desk.repository.folder, "sources/two.yaml"));
    expect((await desk.diff(["--base", "main"])).out).toContain("1 source is removed");
  });

  it("a manifest broken only in the base", async () => {
    desk.repository.git("checkout", "--quiet", "main");
    desk.repository.commit({ "sources/two.yaml": "apiVersion: ingest.geoportal.io/v1\nkind: [\n" });
    desk.repository.git("checkout", "--quiet", "-B", "change");
    write("sources/two.yaml", policy["sources/two.yaml"] ?? "");
    const { code, out } = await desk.diff(["--base", "main"]);
    expect(code).toBe(0);
    expect(out).toContain("1 source is added");
    expect(out).toMatch(/The base \([0-9a-f]{7}\) has 1 error/);
  });

  it("a manifest broken in the head", async () => {
    write("sources/two.yaml", "apiVersion: ingest.geoportal.io/v1\nkind: [\n");
    const { code, out } = await desk.diff(["--base", "main"]);
    expect(code).toBe(1);
    expect(out).toContain("yaml/syntax");
    expect(out).toContain("sources/two.yaml:");
  });

  it("a manifest of 10 MB: named, it is refused; found, it is told", async () => {
    const much = `${policy["sources/two.yaml"] ?? ""}# ${"x".repeat(10_000_000)}\n`;
    write("sources/two.yaml", much);
    const named = await desk.diff(["--base", "main", "sources/two.yaml"]);
    expect(named.code).toBe(1);
    expect(named.out).toContain("The file has 9.5 MiB; more than 1 MiB is not read.");
    const found = await desk.diff(["--base", "main"]);
    expect(found.out).toContain("The file has 9.5 MiB; more than 1 MiB is not read.");
    expect(found.out).toContain("1 source is removed");
    desk.repository.commit({});
    expect((await desk.diff(["--base", "main", "--head", "change"])).out).toContain("The file has 9.5 MiB");
  });

  it("5,000 files, of which one changes", { timeout: 120_000 }, async () => {
    desk.repository.git("checkout", "--quiet", "main");
    const many = Array.from({ length: 5000 }, (_, i) => [
      `sources/s${String(i)}.yaml`,
      manifest({ name: `s${String(i)}` }),
    ]);
    desk.repository.commit(Object.fromEntries(many) as Record<string, string>);
    desk.repository.git("checkout", "--quiet", "-B", "change");
    write("sources/s7.yaml", manifest({ name: "s7", spec: "  suspend: true\n" }));
    const { code, out } = await desk.diff(["--base", "main", "--format", "md"]);
    expect(code).toBe(0);
    expect(out).toContain("**1 source changes: 0 errors, 0 warnings.**");
    expect(out.length).toBeLessThanOrEqual(60_000);
  });

  it(
    "1,000 files that all change: the report stays within its bound and says what it leaves out",
    { timeout: 120_000 },
    async () => {
      desk.repository.git("checkout", "--quiet", "main");
      const many = (spec: string) =>
        Object.fromEntries(
          Array.from({ length: 1000 }, (_, i) => [
            `sources/s${String(i)}.yaml`,
            manifest({ name: `s${String(i)}`, spec }),
          ]),
        );
      desk.repository.commit(many(""));
      desk.repository.git("checkout", "--quiet", "-B", "change");
      desk.repository.commit(many("  concurrency: { maxRequests: 9 }\n"));
      const { code, out } = await desk.diff(["--base", "main", "--head", "change", "--format", "md"]);
      expect(code).toBe(1);
      expect(out.length).toBeLessThanOrEqual(60_000);
      expect(out.match(/^`{3,}/gm)?.length).toBe(0 + 2 * (out.match(/<details>/g)?.length ?? 0));
      expect(out).toMatch(/… and [\d,]+ more sources with smaller changes/);
      expect(out).toMatch(/… and [\d,]+ more consequences, none more severe/);
      expect(out).toMatch(/The YAML of [\d,]+ files is left out for lack of room/);
    },
  );

  it("links and submodules are not followed, and told", async () => {
    const secret = join(folder, "secret.yaml");
    writeFileSync(secret, manifest({ name: "outside" }));
    symlinkSync(secret, join(desk.repository.folder, "sources/link.yaml"));
    symlinkSync(folder, join(desk.repository.folder, "sources/more"));
    desk.repository.git("add", "--all");
    const id = desk.repository.git("rev-parse", "main");
    desk.repository.git("update-index", "--add", "--cacheinfo", `160000,${id},sources/module`);
    desk.repository.git("commit", "--quiet", "--message", "Links");
    for (const head of [["--head", "change"], []]) {
      const { code, out } = await desk.diff(["--base", "main", ...head]);
      expect(code).toBe(0);
      expect(out).toContain("No source changes");
      expect(out).toContain('Links and submodules are not read: "sources/link.yaml"');
    }
  });

  it("a folder that became a link is not read through", async () => {
    rmSync(join(desk.repository.folder, "sources"), { recursive: true });
    writeFileSync(join(folder, "one.yaml"), manifest({ name: "outside" }));
    symlinkSync(folder, join(desk.repository.folder, "sources"));
    const { out } = await desk.diff(["--base", "main"]);
    expect(out).not.toContain("outside");
    expect(out).toContain("2 sources are removed");
  });

  it("paths outside the repository, and paths that are nowhere", async () => {
    const outside = await desk.diff(["--base", "main", "../elsewhere"]);
    expect([outside.code, outside.err]).toEqual([
      2,
      expect.stringContaining("lies outside the repository") as string,
    ]);
    const nowhere = await desk.diff(["--base", "main", "sorces"]);
    expect([nowhere.code, nowhere.err]).toEqual([
      2,
      expect.stringContaining("There is no sorces on either side") as string,
    ]);
  });

  it("a policy root without any manifest", async () => {
    const { code, err } = await desk.diff(["--base", "main", "--root", "rules"]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("There is no HarvestSource on either side.") as string,
    ]);
  });

  it("a name that is a folder and a branch", async () => {
    desk.repository.git("branch", "sources");
    const { code, err } = await desk.diff(["--base", "sources"]);
    expect([code, err]).toEqual([2, expect.stringContaining("sources is a commit and a folder.") as string]);
    expect((await desk.diff(["--base", "refs/heads/sources"])).code).toBe(0);
  });

  it("a policy root without ceilings, and a rule set that is gone", async () => {
    desk.repository.commit({ "rules/dc.sch": undefined, "rules/fair-use.yaml": undefined });
    const { code, out } = await desk.diff(["--base", "main", "--head", "change"]);
    expect(code).toBe(1);
    expect(out).toContain("There is no rule set rules/dc.sch in the policy root.");
    expect(out).toContain("fair-use/no-file");
    expect(out).not.toContain(tmpdir());
  });

  it("hooks, filters and watchers of the repository are not run", async () => {
    const mark = join(folder, "ran");
    const script = join(folder, "script");
    writeFileSync(script, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
    desk.repository.commit({ ".gitattributes": "*.yaml filter=evil diff=evil\n" });
    for (const name of [
      "core.fsmonitor",
      "filter.evil.smudge",
      "filter.evil.clean",
      "diff.evil.textconv",
      "core.pager",
    ])
      desk.repository.git("config", name, script);
    write("sources/two.yaml", manifest({ name: "two", spec: "  suspend: true\n" }));
    expect((await desk.diff(["--base", "main"])).out).toContain("1 source changes");
    expect(() => execFileSync("ls", [mark], { stdio: "ignore" })).toThrow();
  });
});

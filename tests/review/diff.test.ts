import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyTree, diffDesk, manifest, policy, type DiffDesk } from "./diff-desk.js";

interface Shown {
  readonly base: string;
  readonly head: string;
  readonly note?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: readonly {
    key: string;
    kind: string;
    what: readonly string[];
    file: string;
    owners: readonly string[];
    firstRun?: { at: string };
  }[];
  readonly consequences: readonly { id: string; sentence: string; place: { file: string } }[];
  readonly findings: readonly { rule: string; known: boolean; sentence: string; place: { file: string } }[];
  readonly changes: readonly {
    kind: string;
    key: string;
    movedFrom?: string;
    renamedFrom?: string;
    fields: readonly object[];
  }[];
  readonly noEffect: readonly string[];
  readonly unknowns: readonly string[];
  readonly digest: string;
}

describe("harvestctl diff", () => {
  let desk: DiffDesk;
  beforeEach(() => {
    desk = diffDesk();
  });
  afterEach(() => {
    desk.remove();
  });

  async function json(...args: string[]): Promise<Shown> {
    const { out } = await desk.diff([...args, "--format", "json"]);
    return JSON.parse(out) as Shown;
  }

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(desk.repository.folder, path), text);
  }

  it("says that nothing changes, and ends with 0", async () => {
    const { code, out, err } = await desk.diff(["--base", "main"]);
    expect({ code, err, first: out.split("\n")[0] }).toEqual({
      code: 0,
      err: "",
      first: expect.stringMatching(
        /^No source changes: 0 errors, 0 warnings\. {2}base [0-9a-f]{7} → head working tree$/,
      ) as string,
    });
  });

  it("compares the working tree, also what is not committed", async () => {
    write({
      "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }),
      "sources/new.yaml": manifest({ name: "new" }),
    });
    const review = await json("--base", "main");
    expect(review.changes.map(({ key, kind }) => `${kind} ${key}`)).toEqual(["added new", "changed two"]);
    expect(review.rows.map(({ key, owners, file }) => [key, owners, file])).toContainEqual([
      "two",
      ["@geo/two"],
      "sources/two.yaml",
    ]);
    expect(review.unknowns[0]).toContain("No store was asked");
  });

  it("compares commits from the moment the head was made, with the same bytes each time", async () => {
    desk.repository.commit({
      "sources/two.yaml": manifest({ name: "two", spec: "  concurrency: { maxRequests: 3 }\n" }),
    });
    const first = await desk.diff(["--base", "main", "--head", "change", "--format", "md"]);
    const again = await desk.diff(["--base", "main", "--head", "change", "--format", "md"]);
    expect(first).toEqual(again);
    const made = Number(desk.repository.git("show", "-s", "--format=%ct", "change")) * 1000;
    const run = Date.parse((await json("--base", "main", "--head", "change")).rows[0]?.firstRun?.at ?? "");
    expect(run).toBeGreaterThan(made);
    expect(run).toBeLessThanOrEqual(made + 24 * 3_600_000);
  });

  it("does not show as taken back what others merged meanwhile, and says so", async () => {
    desk.repository.commit({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
    desk.repository.git("checkout", "--quiet", "main");
    desk.repository.commit({ "sources/three.yaml": manifest({ name: "three" }) });
    desk.repository.git("checkout", "--quiet", "change");
    const start = desk.repository.git("rev-parse", "change~1").slice(0, 7);
    const review = await json("--base", "main");
    expect(review.changes.map(({ key }) => key)).toEqual(["two"]);
    expect([review.base, review.note]).toEqual([
      start,
      `${start} is where the head left main; what was merged there since is not part of this change.`,
    ]);
  });

  it("compares histories that have nothing in common as they are", async () => {
    desk.repository.git("checkout", "--quiet", "--orphan", "other");
    desk.repository.commit({ "sources/two.yaml": undefined });
    const review = await json("--base", "main");
    expect(review.changes.map(({ key, kind }) => `${kind} ${key}`)).toEqual(["removed two"]);
    expect(review.note).toContain("have no commit in common");
  });

  it("tells changed rules of every source that uses them", async () => {
    write({
      "rules/dc.sch": (policy["rules/dc.sch"] ?? "").replace("</sch:pattern>", "<!-- x --></sch:pattern>"),
    });
    const review = await json("--base", "main");
    expect(review.rows.map(({ key, what }) => [key, what])).toEqual([["one", ["rules/dc.sch"]]]);
  });

  it("follows a file that was moved, and one that was renamed inside", async () => {
    desk.repository.git("mv", "sources/two.yaml", "sources/zwei.yaml");
    write({ "sources/one.yaml": (policy["sources/one.yaml"] ?? "").replace("name: one", "name: uno") });
    const review = await json("--base", "main");
    expect(review.changes).toMatchObject([
      { kind: "changed", key: "two", movedFrom: "sources/two.yaml", fields: [] },
      { kind: "renamed", key: "uno", renamedFrom: "one" },
    ]);
    expect(review.noEffect).toEqual([]);
  });

  it("takes comments, key order and line ends for no change", async () => {
    const two = (policy["sources/two.yaml"] ?? "").split("\n");
    write({
      "sources/two.yaml": ["# why", ...two.slice(0, 1), ...two.slice(4, 8), ...two.slice(1, 4)].join("\r\n"),
    });
    const { code, out } = await desk.diff(["--base", "main", "--exit-code"]);
    expect(code).toBe(0);
    expect(out).toContain("No source changes; only texts without effect differ");
    expect(out).toContain("No effective change: sources/two.yaml");
  });

  it("ends with 1 for an error, for a difference only when asked, and with 2 for what cannot be done", async () => {
    write({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
    expect((await desk.diff(["--base", "main"])).code).toBe(0);
    expect((await desk.diff(["--base", "main", "--exit-code"])).code).toBe(1);
    write({ "sources/two.yaml": manifest({ name: "two", spec: "  concurrency: { maxRequests: 9 }\n" }) });
    expect((await desk.diff(["--base", "main"])).code).toBe(1);
    expect((await desk.diff(["--base", "nowhere"])).code).toBe(2);
  });

  it("ends with 1 when rules differ that nobody uses, if a difference is asked for", async () => {
    write({ "rules/unused.xml": "<a/>" });
    expect((await desk.diff(["--base", "main", "--exit-code"])).code).toBe(1);
    expect((await desk.diff(["--base", "main"])).code).toBe(0);
  });

  it("does not fail a change for what the base had already", async () => {
    desk.repository.git("checkout", "--quiet", "main");
    desk.repository.commit({
      "sources/bad.yaml": manifest({ name: "bad", spec: "  timeZone: Mars/Olympus\n" }),
    });
    desk.repository.git("checkout", "--quiet", "-B", "change");
    write({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
    const { code } = await desk.diff(["--base", "main"]);
    const review = await json("--base", "main");
    expect(code).toBe(0);
    expect(review.findings.map(({ rule, known }) => [rule, known])).toEqual([["schedule/time-zone", true]]);
  });

  it("writes its report to a file, in the form of its name", async () => {
    write({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
    const folder = mkdtempSync(join(tmpdir(), "diff-"));
    try {
      const report = join(folder, "diff-report.md");
      const { out } = await desk.diff(["--base", "main", "--out", report]);
      expect(out).toBe(`${report}: 1 source changes: 0 errors, 0 warnings.\n`);
      expect(readFileSync(report, "utf8").split("\n")[0]).toBe("<!-- harvestctl:diff -->");
      await desk.diff(["--base", "main", "--out", join(folder, "x.sarif")]);
      expect(JSON.parse(readFileSync(join(folder, "x.sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });
      const refused = await desk.diff(["--base", "main", "--out", join(folder, "no/such/folder.md")]);
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringContaining("could not be written: ENOENT") as string,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("annotates the lines of the head, from the root of the repository", async () => {
    write({ "sources/two.yaml": manifest({ name: "two", spec: "  concurrency: { maxRequests: 9 }\n" }) });
    const whole = await desk.diff(
      ["--base", "main", "--format", "github", "--root", "..", "."],
      join(desk.repository.folder, "sources"),
    );
    expect(whole.out).toMatch(/^::error file=sources\/two\.yaml,line=9,/m);
  });

  it("reviews two folders without any history", async () => {
    const folder = mkdtempSync(join(tmpdir(), "folders-"));
    try {
      for (const side of ["was", "will"]) copyTree(desk.repository.folder, join(folder, side));
      writeFileSync(
        join(folder, "will/sources/two.yaml"),
        manifest({ name: "two", spec: "  suspend: true\n" }),
      );
      const { out, code } = await desk.diff(["--base", "was", "--head", "will", "--format", "json"], folder);
      expect(code).toBe(0);
      const review = JSON.parse(out) as Shown;
      expect([review.base, review.head, review.changes.map(({ key }) => key)]).toEqual([
        "folder was",
        "folder will",
        ["two"],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("reviews the working tree against a folder, with the same names", async () => {
    const folder = mkdtempSync(join(tmpdir(), "folder-"));
    try {
      copyTree(desk.repository.folder, folder);
      write({ "sources/two.yaml": manifest({ name: "two", spec: "  suspend: true\n" }) });
      const review = await json("--base", folder);
      expect(review.changes.map(({ key, movedFrom }) => [key, movedFrom])).toEqual([["two", undefined]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("takes a policy root below the repository", async () => {
    desk.remove();
    desk = diffDesk(
      Object.fromEntries(
        Object.entries(policy).map(([path, text]) => [path.startsWith(".") ? path : `policy/${path}`, text]),
      ),
    );
    mkdirSync(join(desk.repository.folder, "policy/sources"), { recursive: true });
    write({
      "policy/sources/two.yaml": manifest({ name: "two", spec: "  concurrency: { maxRequests: 9 }\n" }),
    });
    const review = await json("--base", "main", "--root", "policy");
    expect(review.consequences.map(({ id, place }) => [id, place.file])).toContainEqual([
      "concurrency-over-ceiling",
      "policy/sources/two.yaml",
    ]);
    expect(review.findings.map(({ rule }) => rule)).not.toContain("policy/missing-file");
  });

  it("leaves nothing behind", async () => {
    const before = process.env["TMPDIR"];
    const own = mkdtempSync(join(tmpdir(), "own-"));
    process.env["TMPDIR"] = own;
    try {
      await desk.diff(["--base", "main"]);
      await desk.diff(["--base", "nowhere"]);
      expect(readdirSync(own)).toEqual([]);
      expect(desk.repository.git("status", "--porcelain")).toBe("");
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(own, { recursive: true });
    }
  });
});

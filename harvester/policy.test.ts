import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Fault } from "./fault.js";
import { checkPolicyFile, loadPolicy, type PolicyRequest } from "./policy.js";

const XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"';
const SCH = 'xmlns="http://purl.oclc.org/dsdl/schematron"';

const FILES: Readonly<Record<string, string>> = {
  "schemas/a.xsd": `<xs:schema ${XS} targetNamespace="a"><xs:import namespace="b" schemaLocation="../lib/b.xsd"/><xs:element name="a"/></xs:schema>`,
  "lib/b.xsd": `<xs:schema ${XS} targetNamespace="b"><xs:include schemaLocation="c.xsd"/></xs:schema>`,
  "lib/c.xsd": `<xs:schema ${XS} targetNamespace="b"><xs:redefine schemaLocation="b.xsd"/></xs:schema>`,
  "schemas/plain.xsd": `<xs:schema ${XS}><xs:element name="a"/></xs:schema>`,
  "rules/r.sch": `<schema ${SCH}><include href="parts/p.sch#x"/></schema>`,
  "rules/parts/p.sch": `<pattern ${SCH} id="x"><rule context="a"><extends href="e.sch"/></rule></pattern>`,
  "rules/parts/e.sch": `<rule ${SCH}><assert test="true()">x</assert></rule>`,
  "rules/lost.sch": `<schema ${SCH}>\n<include href="nowhere.sch"/></schema>`,
  "rules/out.sch": `<schema ${SCH}>\n<include href="../../outside.sch"/></schema>`,
  "rules/web.sch": `<schema ${SCH}><include href="https://example.org/x.sch"/></schema>`,
  "rules/wrong.sch": `<schema ${SCH}>\n<pattern><rule context="a">\n<assert test="a[">x</assert></rule></pattern></schema>`,
  "rules/broken.sch": `<schema ${SCH}>\n<pattern></schema>`,
  "schemas/web.xsd": `<xs:schema ${XS}>\n<xs:import namespace="x" schemaLocation="http://example.org/x.xsd"/></xs:schema>`,
  "schemas/wrong.xsd": `<xs:schema ${XS}>\n<xs:element name="a" type="nothing"/></xs:schema>`,
};

let root = "";

beforeAll(async () => {
  const scratch = await mkdtemp(join(tmpdir(), "policy-"));
  root = join(scratch, "root");
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await writeFile(join(scratch, "outside.sch"), "<x/>");
  await symlink("../../outside.sch", join(root, "rules/link.sch"));
  await symlink("r.sch", join(root, "rules/inside-link.sch"));
});

afterAll(() => rm(dirname(root), { recursive: true }));

function request(parts: Partial<PolicyRequest>): PolicyRequest {
  return { root, prefix: "iso19139", xsd: [], schematron: [], ...parts };
}

async function sentence(parts: Partial<PolicyRequest>): Promise<string> {
  const thrown: unknown = await loadPolicy(request(parts)).catch((error: unknown) => error);
  if (!(thrown instanceof Fault)) throw new Error("The policy was loaded.");
  expect(thrown.kind).toBe("config");
  return thrown.detail.sentence;
}

describe("a policy is a closed bundle", () => {
  it("of all files the entries reach, sorted, with the limits", async () => {
    const { policy } = await loadPolicy(
      request({ xsd: ["./schemas/a.xsd"], schematron: ["rules//r.sch"], phase: "ingest" }),
    );
    expect(policy.files.map((file) => file.path)).toEqual([
      "lib/b.xsd",
      "lib/c.xsd",
      "rules/parts/e.sch",
      "rules/parts/p.sch",
      "rules/r.sch",
      "schemas/a.xsd",
    ]);
    expect(policy).toMatchObject({
      prefix: "iso19139",
      xsd: ["schemas/a.xsd"],
      schematron: ["rules/r.sch"],
      phase: "ingest",
      limits: { maxRecordBytes: 10_485_760, deadlineMs: 5000, maxViolations: 50 },
    });
  });

  it("with nothing in it, where nothing is asked", async () => {
    expect((await loadPolicy(request({ limits: { deadlineMs: 9 } }))).policy).toMatchObject({
      files: [],
      limits: { deadlineMs: 9 },
    });
  });

  it("may hold links that stay inside, as mounted ConfigMaps do", async () => {
    expect((await loadPolicy(request({ schematron: ["rules/inside-link.sch"] }))).policy.files).toHaveLength(
      3,
    );
  });
});

describe("its digest", () => {
  it("is the same for the same files, however they are written", async () => {
    const one = await loadPolicy(request({ xsd: ["schemas/plain.xsd"] }));
    const two = await loadPolicy(request({ xsd: ["./schemas/../schemas/plain.xsd"] }));
    expect(two.digest).toBe(one.digest);
    expect(one.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is another for another phase, another limit, another byte in an included file", async () => {
    const base = request({ schematron: ["rules/r.sch"] });
    const digests = [
      await loadPolicy(base),
      await loadPolicy({ ...base, phase: "x" }),
      await loadPolicy({ ...base, limits: { maxRecordBytes: 1 } }),
    ];
    const file = join(root, "rules/parts/e.sch");
    await writeFile(file, `${FILES["rules/parts/e.sch"]!} `);
    digests.push(await loadPolicy(base));
    await writeFile(file, FILES["rules/parts/e.sch"]!);
    digests.push(await loadPolicy(base));
    expect(new Set(digests.map((loaded) => loaded.digest)).size).toBe(4);
    expect(digests.at(-1)?.digest).toBe(digests[0]?.digest);
  });
});

describe("what cannot be loaded is said with the place and the reason", () => {
  it.each([
    {
      given: { xsd: ["schemas/none.xsd"] },
      expect: "The policy file schemas/none.xsd cannot be opened: there is no such file.",
    },
    { given: { xsd: ["schemas"] }, expect: "The policy file schemas cannot be read: it is a folder." },
    {
      given: { schematron: ["../outside.sch"] },
      expect: "The policy file ../outside.sch lies outside the policy folder.",
    },
    {
      given: { schematron: ["/etc/passwd"] },
      expect: "The policy file /etc/passwd lies outside the policy folder.",
    },
    {
      given: { schematron: ["http://example.org/r.sch"] },
      expect: "The policy file http://example.org/r.sch lies outside the policy folder.",
    },
    {
      given: { schematron: ["rules/link.sch"] },
      expect: "The policy file rules/link.sch is a link to a place outside the policy folder.",
    },
    {
      given: { schematron: ["rules/lost.sch"] },
      expect: "rules/lost.sch:2: The policy file rules/nowhere.sch cannot be opened: there is no such file.",
    },
    {
      given: { schematron: ["rules/out.sch"] },
      expect:
        "rules/out.sch:2: ../../outside.sch is imported, but policy files are read from the policy folder alone: put a copy there and name it by a relative path.",
    },
    {
      given: { schematron: ["rules/web.sch"] },
      expect:
        "rules/web.sch:1: https://example.org/x.sch is imported, but policy files are read from the policy folder alone: put a copy there and name it by a relative path.",
    },
    {
      given: { xsd: ["schemas/web.xsd"] },
      expect:
        "schemas/web.xsd:2: http://example.org/x.xsd is imported, but policy files are read from the policy folder alone: put a copy there and name it by a relative path.",
    },
    {
      given: { schematron: ["rules/broken.sch"] },
      expect:
        "rules/broken.sch:2: The file is not well-formed XML: Opening and ending tag mismatch: pattern line 2 and schema.",
    },
  ])("$expect", async ({ given, expect: expected }) => {
    expect(await sentence(given)).toBe(expected);
  });

  it("the folder itself missing", async () => {
    expect(await sentence({ root: join(root, "none"), xsd: ["a.xsd"] })).toContain(
      "cannot be opened: there is no such file.",
    );
  });
});

describe("lint compiles policy files for real", () => {
  it.each([
    { path: "rules/r.sch", kind: "schematron" as const, expect: { kind: "usable" } },
    { path: "schemas/plain.xsd", kind: "xsd" as const, expect: { kind: "usable" } },
    {
      path: "rules/wrong.sch",
      kind: "schematron" as const,
      expect: {
        kind: "unusable",
        file: "rules/wrong.sch",
        line: 3,
        sentence: 'rules/wrong.sch:3: The expression "a[" cannot be used: a name is missing at the end.',
      },
    },
    {
      path: "schemas/wrong.xsd",
      kind: "xsd" as const,
      expect: { kind: "unusable", file: "schemas/wrong.xsd", line: 2 },
    },
    {
      path: "schemas/none.xsd",
      kind: "xsd" as const,
      expect: {
        kind: "unusable",
        sentence: "The policy file schemas/none.xsd cannot be opened: there is no such file.",
      },
    },
    {
      path: "schemas/plain.xsd",
      kind: "schematron" as const,
      expect: { kind: "unusable", file: "schemas/plain.xsd", line: 1 },
    },
  ])("$kind $path", async ({ path, kind, expect: expected }) => {
    expect(await checkPolicyFile(root, path, kind)).toMatchObject(expected);
  });
});

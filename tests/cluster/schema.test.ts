/** `lint` says before the merge what the API server would say after it: the same verdicts, about the same fields. */
import { afterAll, describe, expect, it } from "vitest";
import { LineCounter, parse, parseDocument } from "yaml";
import { crdRules } from "../../source/cel/rules.generated.js";
import { parseCron } from "../../source/cron.js";
import type { Finding } from "../../source/finding.js";
import { crossField } from "../../source/lint/cross-field.js";
import { schedule } from "../../source/lint/schedule.js";
import { timeZone } from "../../source/lint/time-zone.js";
import { parseManifests } from "../../source/parse.js";
import type { Answer } from "../setup/cluster-http.js";
import { testCluster } from "../setup/cluster.js";
import { addresses, timeZones } from "./cel-cases.js";
import { celRefusals, serverRefusals } from "./cel-parity.js";
import { schedules, schemaCases, stricter, withLine } from "./schema-cases.js";

const cluster = await testCluster();

afterAll(() => cluster?.remove());

interface StatusAnswer {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
}

function askServer(body: unknown, type = "application/yaml"): Promise<Answer> {
  const path = `/apis/ingest.geoportal.io/v1/namespaces/${cluster!.namespace}/harvestsources`;
  return cluster!.http("POST", `${path}?dryRun=All&fieldValidation=Strict`, { body, type });
}

/** Fields the server's refusal is about; undefined when it accepts. */
async function refusedByServer(text: string): Promise<readonly string[] | undefined> {
  const answer = await askServer(text);
  if (answer.status === 201) return undefined;
  expect(answer.status, answer.text).toBeOneOf([400, 422]);
  const { message = "", details } = answer.json as StatusAnswer;
  const byCause = (details?.causes ?? []).map(({ field = "" }) => field).filter((field) => field !== "<nil>");
  return byCause.length > 0 ? byCause : fieldsIn(message);
}

/** Of what the server cannot decode, and of a "not" in the schema, it speaks in prose only. */
function fieldsIn(message: string): readonly string[] {
  const named =
    /(?:unknown|duplicate) field "([^"]+)"|key "([^"]+)" already set|"(spec\.[^"]+)" must|ObjectMeta\.(labels)/g;
  return [...message.matchAll(named)].flatMap((found) =>
    found.slice(1).filter((field) => field !== undefined),
  );
}

/** The rules of lint that stand for the CRD's own; the others ask what no server asks. */
function findingsOf(text: string): readonly Finding[] {
  const { sources, findings } = parseManifests(text, { file: "a.yaml", named: true });
  const context = { prefixes: [], checkPolicyFile: () => ({ ok: true }) as const, now: new Date() };
  const more = [crossField, schedule, timeZone].flatMap((rule) => rule(sources, context));
  return [...findings, ...more].filter(({ severity }) => severity === "error");
}

/** Lines lint's errors point at; undefined when it accepts. */
function refusedByLint(text: string): readonly number[] | undefined {
  const errors = findingsOf(text);
  return errors.length === 0 ? undefined : errors.map(({ place }) => place.line);
}

/** Lines `at` may be found on: its own, or, where it is not written, that of the nearest parent that is. */
function linesOf(text: string, at: string): readonly number[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const path = at.split(/[.[\]]+/).filter((step) => step !== "");
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const node = document.getIn(steps, true) as { range?: [number, number, number] } | undefined;
    if (node?.range === undefined) continue;
    const from = lines.linePos(node.range[0]).line;
    // The key of a map stands on the line before its first value; a second key of the same name further down.
    return [from - 1, from, lines.linePos(Math.max(node.range[0], node.range[1] - 1)).line, from + 1];
  }
  return [1];
}

const good = schemaCases[0]!.text;
/** Messages of rules for which both refused. */
const shown = new Set<string>();

describe.skipIf(cluster === undefined)("lint and the API server", () => {
  it.each(schemaCases)("agree on $name", async ({ text, at }) => {
    const [server, lint] = [await refusedByServer(text), refusedByLint(text)];
    if (at === undefined) {
      expect({ server, lint }).toEqual({ server: undefined, lint: undefined });
      return;
    }
    expect({
      server: server === undefined ? "accepts" : "refuses",
      lint: lint === undefined ? "accepts" : "refuses",
    }).toEqual({ server: "refuses", lint: "refuses" });
    expect(
      server!.some((field) => field === at || at.endsWith(`.${field}`) || at.startsWith(`metadata.${field}`)),
      `the server is about ${server!.join(", ")}`,
    ).toBe(true);
    expect(
      lint!.some((line) => linesOf(text, at).includes(line)),
      `lint points at line ${lint!.join(", ")}`,
    ).toBe(true);
  });

  it.each(schemaCases)("say the same by the CEL rules of the CRD on $name", async ({ text }) => {
    const server = serverRefusals(await askServer(text));
    // It asks no rule of what it cannot decode.
    if (server === undefined) return;
    expect(celRefusals(text, good)).toEqual(server);
    // Where both refuse, the rule has been shown.
    for (const refusal of server) shown.add(refusal.slice(refusal.indexOf(": ") + 2));
  });

  /** In JSON, because YAML 1.1 takes some of these letters for line breaks. */
  async function agreeOn(spec: object): Promise<void> {
    const manifest = parse(good) as { spec: object };
    const text = JSON.stringify({ ...manifest, spec: { ...manifest.spec, ...spec } });
    const server = serverRefusals(await askServer(text, "application/json"));
    expect(server).toBeDefined();
    expect(celRefusals(text, good)).toEqual(server);
  }

  it.each(addresses)("say the same of the address %j, and of it as a proxy", async (address) => {
    await agreeOn({ baseUrl: address });
    await agreeOn({ transport: { proxyUrl: address } });
  });

  it.each(timeZones)("say the same of the time zone %j", (timeZone) => agreeOn({ timeZone }));

  it.each(schedules)("say the same by CEL of the schedule %j", (schedule) => agreeOn({ schedule }));

  it("have both refused for every rule of the CRD in one of these cases", () => {
    expect(crdRules.map(({ message }) => message).filter((message) => !shown.has(message))).toEqual([]);
  });

  it.each(stricter)("differ on purpose: %s", async (line, rule) => {
    expect(await refusedByServer(withLine(line))).toBeUndefined();
    expect(findingsOf(withLine(line)).map((finding) => finding.rule)).toEqual([rule]);
  });

  it.each(schedules)("agree on the schedule %j", async (text, accepted) => {
    const container = { name: "c", image: "i" };
    const spec = { restartPolicy: "Never", containers: [container] };
    const answer = await cluster!.http(
      "POST",
      `/apis/batch/v1/namespaces/${cluster!.namespace}/cronjobs?dryRun=All&fieldValidation=Strict`,
      {
        body: {
          apiVersion: "batch/v1",
          kind: "CronJob",
          metadata: { name: "t" },
          spec: { schedule: text, jobTemplate: { spec: { template: { spec } } } },
        },
      },
    );
    expect({ lint: parseCron(text).kind !== "problem", server: answer.status }).toEqual({
      lint: accepted,
      server: accepted ? 201 : 422,
    });
  });
});

describe.skipIf(cluster === undefined)("kubectl", () => {
  it("explains a field with its meaning, its default left to the schema", async () => {
    const { code, stdout } = await cluster!.kubectl(["explain", "hsrc.spec.concurrency"]);
    expect(code).toBe(0);
    expect(stdout).toContain("How hard the source may be asked.");
    expect(stdout).toMatch(/maxRequests\s+<integer>\n\s+Requests in flight at once\./);
  });

  it("prints the columns an operator looks for, and finds sources by a field", async () => {
    const { text } = schemaCases[0]!;
    const applied = await cluster!.kubectl(["apply", "-f", "-"], { input: text });
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    const columns = async (...args: string[]): Promise<string[]> =>
      (await cluster!.kubectl(["get", "hsrc", ...args])).stdout.split("\n")[0]!.split(/\s{2,}/);
    expect(await columns()).toEqual([
      ...["NAME", "SCHEDULE", "READY", "STATUS", "LAST SUCCESS", "LAG", "RECORDS", "QUARANTINED", "AGE"],
    ]);
    expect((await columns("-o", "wide")).slice(-2)).toEqual(["URL", "MESSAGE"]);
    const selected = async (selector: string): Promise<string> =>
      (await cluster!.kubectl(["get", "geoportal", "--field-selector", selector, "-o", "name"])).stdout;
    expect(await selected("spec.metadataPrefix=oai_dc")).toBe(
      "harvestsource.ingest.geoportal.io/state-metadata\n",
    );
    expect(await selected("spec.metadataPrefix=iso19139")).toBe("");
  });

  it("shows a source nobody has looked at yet as not observed", async () => {
    const { stdout } = await cluster!.kubectl([
      ...["get", "hsrc", "state-metadata", "-o", "jsonpath={.status.observedGeneration}"],
    ]);
    expect(stdout).toBe("-1");
  });
});

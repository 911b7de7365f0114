/** Content of `--generate N`: every record is computed when it is asked for, so a million of them need no memory. */
import { brokenBytes } from "./break-record.js";
import type { BodyQuestion, Content, SetInfo } from "./content.js";
import { dcRecord } from "./dc-record.js";
import { factsOf, officeOf, themeOf } from "./facts.js";
import { isoRecord } from "./iso-record.js";
import { mix } from "./random.js";
import { nthFault, type RecordFaultName } from "./record-faults.js";
import { stampOf } from "./timeline.js";
import { themes } from "./vocabulary.js";

export interface GeneratedOptions {
  /** 0 to 1,000,000. */
  readonly count: number;
  readonly seed?: number;
  /** How many records are faulty: an exact number, or a share when below 1. */
  readonly faulty?: number;
  /** Which faults are dealt out, in turn; default all of record-faults.ts. */
  readonly faultNames?: readonly RecordFaultName[];
  /** How many records are deleted from the start: an exact number, or a share when below 1. */
  readonly deleted?: number;
}

type Role = { readonly kind: "sound" | "deleted" } | { readonly kind: "faulty"; readonly nth: number };

export function generatedContent(options: GeneratedOptions): Content {
  const seed = options.seed ?? 1;
  const roleOf = castRoles(options, seed);
  return {
    size: options.count,
    sets: generatedSets(),
    formats: ["oai_dc", "iso19139"],
    makesRecords: true,
    isUniform: true,
    localName: (index) => `record-${String(index).padStart(7, "0")}`,
    indexOf: (name) => (/^record-\d{7}$/.test(name) ? Number(name.slice(7)) : undefined),
    stampOf,
    setsOf: (index) => [themeOf(seed, index).set, `office:${String(officeOf(seed, index))}`],
    formatsOf: () => ["oai_dc", "iso19139"],
    isDeleted: (index) => roleOf(index).kind === "deleted",
    faultOf(index) {
      const role = roleOf(index);
      return role.kind === "faulty" ? nthFault(options.faultNames ?? [], role.nth) : undefined;
    },
    bodyOf: (index, question) => body(seed, index, question),
  };
}

function body(seed: number, index: number, question: BodyQuestion): Buffer {
  const facts = factsOf(seed, index, question.version);
  const xml = question.format === "iso19139" ? isoRecord(facts) : dcRecord(facts);
  return question.fault === undefined ? Buffer.from(xml) : brokenBytes(xml, question.fault, question.format);
}

function generatedSets(): readonly SetInfo[] {
  const parents = [...new Set(themes.map((theme) => theme.set.split(":")[0] ?? ""))];
  return [
    ...parents.map((spec) => ({ spec, name: `All about ${spec}` })),
    ...themes.map((theme) => ({ spec: theme.set, name: theme.key.replace("-", " ") })),
    { spec: "office", name: "By publishing office" },
    ...[1, 2, 3, 4, 5].map((n) => ({ spec: `office:${String(n)}`, name: `Office ${String(n)}` })),
  ];
}

/**
 * Exactly the asked number of faulty and deleted records, spread evenly, without a list of them: index i is special
 * when i * k / N crosses a whole number, and special number j is faulty when j * f / k does. The seed turns the wheel.
 */
function castRoles(options: GeneratedOptions, seed: number): (index: number) => Role {
  const { count } = options;
  const faulty = exact(options.faulty, count);
  const special = faulty + Math.min(exact(options.deleted, count), count - faulty);
  const turn = count === 0 ? 0 : mix(seed, 0xfa017) % count;
  return (index) => {
    if (index >= count) return { kind: "sound" };
    const nth = crossing((index + turn) % count, special, count);
    if (nth === undefined) return { kind: "sound" };
    const nthFaulty = crossing(nth, faulty, special);
    return nthFaulty === undefined ? { kind: "deleted" } : { kind: "faulty", nth: nthFaulty };
  };
}

function exact(asked: number | undefined, count: number): number {
  if (asked === undefined || asked <= 0) return 0;
  return Math.min(count, asked < 1 ? Math.round(asked * count) : Math.floor(asked));
}

/** Which of k evenly spread marks lies on place i of n; undefined when none does. */
function crossing(i: number, k: number, n: number): number | undefined {
  const before = Math.floor((i * k) / n);
  return Math.floor(((i + 1) * k) / n) > before ? before : undefined;
}

import { describe, expect, it } from "vitest";
import { canonicalTree } from "../../../tests/setup/canonical-tree.js";
import type { CanonicalRecord } from "../../canonical.js";
import { transform } from "../index.js";

function dc(...elements: readonly (readonly [name: string, value: string])[]): string {
  const inner = elements.map(([name, value]) => `<dc:${name}>${value}</dc:${name}>`).join("\n");
  return `<o:dc xmlns:o="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">${inner}</o:dc>`;
}

const EMPTY: CanonicalRecord = {
  schema: 1,
  format: "oai_dc",
  otherIdentifiers: [],
  title: "T",
  alternateTitles: [],
  dates: [],
  boundingBoxes: [],
  places: [],
  temporal: [],
  keywords: [],
  topics: [],
  contacts: [],
  links: [],
  formats: [],
  constraints: { access: [], use: [], texts: [] },
  languages: [],
  referenceSystems: [],
};

const title = ["title", "T"] as const;
const CC = "https://creativecommons.org/licenses/by/4.0/";

interface Row {
  readonly name: string;
  readonly given: string;
  readonly expect: Partial<CanonicalRecord>;
  readonly remarks?: readonly string[];
}

const rows: readonly Row[] = [
  { name: "a title alone", given: dc(title), expect: {} },
  {
    name: "further titles",
    given: dc(["title", " "], title, ["title", "U"], title),
    expect: { alternateTitles: ["U"] },
  },
  {
    name: "the first description",
    given: dc(title, ["description", "One\n\nTwo"], ["description", "Un"]),
    expect: { abstract: "One\n\nTwo" },
    remarks: ["more-than-one"],
  },
  {
    name: "a DOI identifies best, an address is also a link",
    given: dc(title, ["identifier", "42"], ["identifier", "http://x/42"], ["identifier", "doi:10.1234/x"]),
    expect: {
      identifier: "doi:10.1234/x",
      otherIdentifiers: ["42", "http://x/42"],
      links: [{ url: "http://x/42" }],
    },
  },
  {
    name: "without a DOI the address identifies",
    given: dc(title, ["identifier", "42"], ["identifier", "http://x/42"]),
    expect: { identifier: "http://x/42", otherIdentifiers: ["42"], links: [{ url: "http://x/42" }] },
  },
  {
    name: "else the first",
    given: dc(title, ["identifier", "42"], ["identifier", "b"]),
    expect: { identifier: "42", otherIdentifiers: ["b"] },
  },
  {
    name: "dates of an event that is not said",
    given: dc(title, ["date", "2001"], ["date", "2002-02-30"], ["date", "1998/1999"], ["date", ""]),
    expect: { dates: [{ event: "date", date: "2001" }] },
    remarks: ["date-unreadable", "date-unreadable"],
  },
  {
    name: "names of which nobody says whether they are persons",
    given: dc(title, ["publisher", "P"], ["creator", "A, B"], ["creator", "C"], ["contributor", "D"]),
    expect: {
      contacts: [
        { role: "author", of: "resource", name: "A, B" },
        { role: "author", of: "resource", name: "C" },
        { role: "contributor", of: "resource", name: "D" },
        { role: "publisher", of: "resource", name: "P" },
      ],
    },
  },
  {
    name: "subjects, one keyword each",
    given: dc(title, ["subject", "a; b, c"], ["subject", "http://x/k"]),
    expect: { keywords: [{ value: "a; b, c" }, { value: "http://x/k", href: "http://x/k" }] },
  },
  {
    name: "rights: a licence, words about access, words",
    given: dc(title, ["rights", "Ask us"], ["rights", "info:eu-repo/semantics/openAccess"], ["rights", CC]),
    expect: {
      constraints: {
        licence: CC,
        access: ["info:eu-repo/semantics/openAccess"],
        use: [],
        texts: ["Ask us", CC],
      },
    },
  },
  {
    name: "a rights statement is no licence",
    given: dc(title, ["rights", "http://rightsstatements.org/vocab/InC/1.0/"], ["rights", "CC0"]),
    expect: {
      constraints: { access: [], use: [], texts: ["http://rightsstatements.org/vocab/InC/1.0/", "CC0"] },
    },
  },
  {
    name: "language, type, format, relation and source",
    given: dc(
      title,
      ["language", "en"],
      ["type", "Dataset"],
      ["type", "info:x"],
      ["format", "text/csv"],
      ["relation", "R"],
      ["source", "S"],
    ),
    expect: { languages: ["en"], type: "Dataset", formats: ["text/csv"], relations: ["R", "S"] },
    remarks: ["more-than-one"],
  },
  {
    name: "coverage of all kinds",
    given: dc(
      title,
      ["coverage", "Ohio"],
      ["coverage", "northlimit=42; southlimit=38; eastlimit=-80.5; westlimit=-84.8; name=Ohio"],
      ["coverage", "start=1990; end=1999"],
    ),
    expect: {
      places: ["Ohio"],
      boundingBoxes: [{ west: -84.8, south: 38, east: -80.5, north: 42 }],
      temporal: [{ start: "1990", end: "1999" }],
    },
  },
];

describe("oai_dc", () => {
  it.each(rows)("$name", (row) => {
    const result = transform("oai_dc", canonicalTree(row.given));
    if (result.kind !== "mapped") throw new Error(result.violation.message);
    expect(result.canonical).toStrictEqual({ ...EMPTY, ...row.expect });
    expect(result.remarks.map(({ rule }) => rule)).toEqual(row.remarks ?? []);
  });

  it("reads a record inside its OAI metadata element", () => {
    const given = `<metadata xmlns="http://www.openarchives.org/OAI/2.0/">${dc(title)}</metadata>`;
    expect(transform("oai_dc", canonicalTree(given))).toStrictEqual({
      kind: "mapped",
      canonical: EMPTY,
      remarks: [],
    });
  });

  const refused = [
    { name: "no title", given: dc(["description", "d"]), rule: "no-title" },
    { name: "another root", given: "<record/>", rule: "wrong-root" },
    { name: "dc without its namespace", given: "<dc><title>T</title></dc>", rule: "wrong-root" },
    {
      name: "elements of another namespace",
      given: dc(title).replace("elements/1.1", "elements/1.0"),
      rule: "no-title",
    },
  ];
  it.each(refused)("refuses $name", ({ given, rule }) => {
    expect(transform("oai_dc", canonicalTree(given))).toMatchObject({
      kind: "unmappable",
      violation: { gate: "transform", severity: "error", rule },
    });
  });
});

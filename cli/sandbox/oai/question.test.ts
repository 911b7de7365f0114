import { describe, expect, it } from "vitest";
import { OaiError, readQuestion } from "./question.js";

/** What a strict server says to each query (OAI-PMH §3.6, §4). */
const refused: readonly { query: string; code: string; day?: true }[] = [
  { query: "", code: "badVerb" },
  { query: "verb=", code: "badVerb" },
  { query: "verb=identify", code: "badVerb" },
  { query: "verb=Identify&verb=Identify", code: "badVerb" },
  { query: "verb=Identify&set=a", code: "badArgument" },
  { query: "verb=Identify&foo=bar", code: "badArgument" },
  { query: "verb=ListRecords", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&set=", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&identifier=x", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=x", code: "badArgument" },
  { query: "verb=ListRecords&resumptionToken=x&resumptionToken=x", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&from=yesterday", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&from=2024-02-30", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01T00:00Z", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01T00:00:00.5Z", code: "badArgument" },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01T00:00:00%2B01:00", code: "badArgument" },
  {
    query: "verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01&until=2024-01-02T00:00:00Z",
    code: "badArgument",
  },
  { query: "verb=ListRecords&metadataPrefix=oai_dc&from=2024-06-02&until=2024-06-01", code: "badArgument" },
  {
    query: "verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01T00:00:00Z",
    code: "badArgument",
    day: true,
  },
  { query: "verb=GetRecord&metadataPrefix=oai_dc", code: "badArgument" },
  { query: "verb=GetRecord&identifier=x", code: "badArgument" },
  { query: "verb=GetRecord&identifier=x&metadataPrefix=oai_dc&from=2024-01-01", code: "badArgument" },
  { query: "verb=ListMetadataFormats&resumptionToken=x", code: "badArgument" },
  { query: "verb=ListSets&set=a", code: "badArgument" },
];

function codeOf(query: string, granularity: "day" | "second"): string {
  try {
    readQuestion(new URLSearchParams(query), granularity);
    return "accepted";
  } catch (thrown) {
    return thrown instanceof OaiError ? thrown.code : String(thrown);
  }
}

describe("readQuestion", () => {
  it.each(refused)("$query is $code", ({ query, code, day }) => {
    expect(codeOf(query, day ? "day" : "second")).toBe(code);
  });

  it("reads a window as seconds, both ends inclusive, a day to its last second", () => {
    const days = new URLSearchParams(
      "verb=ListRecords&metadataPrefix=oai_dc&from=2024-01-01&until=2024-01-01",
    );
    expect(readQuestion(days, "second")).toMatchObject({ from: 1_704_067_200, until: 1_704_153_599 });
    const instant = "2024-01-01T00:00:00Z";
    const seconds = new URLSearchParams({
      verb: "ListIdentifiers",
      metadataPrefix: "oai_dc",
      from: instant,
      until: instant,
    });
    expect(readQuestion(seconds, "second")).toMatchObject({ from: 1_704_067_200, until: 1_704_067_200 });
  });

  it("lets a token stand alone", () => {
    expect(codeOf("verb=ListRecords&resumptionToken=x", "second")).toBe("accepted");
    expect(codeOf("verb=ListSets&resumptionToken=x", "second")).toBe("accepted");
  });
});

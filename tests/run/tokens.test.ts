/** Section A of the case log, end to end: resumption tokens, right and wrong. */
import { describe, expect, it } from "vitest";
import { START } from "./scene.js";
import { stage, table } from "./stage.js";

const open = stage();
const whole = { outcome: "complete", exitCode: 0 } as const;

describe("tokens a list lives with", () => {
  table(open, [
    {
      name: "C01 an empty token ends the list: four requests for three pages",
      arm: [],
      expect: { ...whole, verbs: ["Identify", "ListRecords", "ListRecords", "ListRecords"] },
      watermark: START,
      alive: 30,
    },
    {
      name: "C02 blanks and line breaks round the token are not part of it",
      arm: { kind: "spaced-token", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C03 the token 0 is a token",
      arm: { kind: "zero-token", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C07 a token behind the end that leads to noRecordsMatch ends the list, with a warning",
      arm: { kind: "trailing-token", times: 0 },
      expect: whole,
      warns: ["empty-last-page"],
      watermark: START,
      alive: 30,
    },
    {
      name: "C09 a token of + / = & # | and a blank comes back as it was given",
      arm: { kind: "awkward-token", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C11 a token that expires once: the window is asked anew",
      arm: { kind: "expired-token", verb: "ListRecords", page: 2 },
      expect: {
        ...whole,
        verbs: ["Identify", "ListRecords", "ListRecords", "ListRecords", "ListRecords", "ListRecords"],
      },
      watermark: START,
      alive: 30,
    },
    {
      name: "C11 tokens that always expire: the window is halved until its parts need none",
      arm: { kind: "expired-token", verb: "ListRecords", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C16 a completeListSize that is no number is no number of anything",
      arm: { kind: "wrong-list-size", value: "abc", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C16 a completeListSize that is too small stops nothing, and is told",
      arm: { kind: "wrong-list-size", value: "12", times: 0 },
      expect: whole,
      warns: ["list-size"],
      watermark: START,
      alive: 30,
    },
    {
      name: "C18 a record that breaks every page it is on costs itself alone",
      arm: { kind: "poison-record", value: "oai:sandbox.example.org:record-0000014", times: 0 },
      expect: { ...whole, refusedBy: { "envelope/source-cannot-deliver": 1 } },
      watermark: START,
      alive: 29,
    },
    {
      name: "C94 a record that comes on two pages is stored once",
      arm: { kind: "page-overlap", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
  ]);
});

describe("tokens that end a run", () => {
  table(open, [
    {
      name: "C04 the same token and the same page for ever end as a loop, and the watermark stays",
      arm: { kind: "repeated-token", times: 0 },
      expect: { outcome: "partial", exitCode: 65, code: "SamePage" },
      alive: 20,
    },
    {
      name: "C06 a list that begins again from the front ends when its pages repeat, and the watermark stays",
      arm: { kind: "wrap-around", times: 0 },
      expect: { outcome: "partial", exitCode: 65, code: "SamePage" },
      alive: 30,
    },
    {
      name: "C13 a server that wants the prefix with the token is told of, never obeyed on a guess",
      arm: { kind: "token-needs-prefix", times: 0 },
      expect: { outcome: "partial", exitCode: 65, code: "BadArgument" },
      alive: 10,
    },
    {
      name: "C16 a list much shorter than it announced is incomplete",
      arm: { kind: "wrong-list-size", value: "1000", times: 0 },
      expect: { outcome: "partial", exitCode: 75, code: "ListIncomplete" },
      warns: ["list-cut"],
      alive: 30,
    },
    {
      name: "C16 a list that is cut after its second page, against its own size, is incomplete",
      arm: { kind: "list-cut-short", verb: "ListRecords", page: 2 },
      expect: { outcome: "partial", exitCode: 75, code: "ListIncomplete" },
      warns: ["list-cut"],
      alive: 20,
    },
  ]);
});

it("C14 C15 a token is sent alone with its verb, as it came", async () => {
  const { run } = await open();
  const { requests } = await run();
  const parameters = requests.map(({ query }) => [...new URLSearchParams(query).keys()]);
  expect(parameters).toEqual([
    ["verb"],
    ["verb", "metadataPrefix"],
    ["verb", "resumptionToken"],
    ["verb", "resumptionToken"],
  ]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testData } from "../../../tests/setup/test-data.js";
import { answer } from "../saved-answer.js";
import { readList } from "./read.js";

const folder = testData("records");
const PROLOG = /^\uFEFF?\s*(<\?xml[^>]*\?>\s*)?(<!--[^]*?-->\s*)*/;

describe.skipIf(folder === undefined)("real records (HARVEST_TEST_DATA/records; skipped without it)", () => {
  it("come out of a page of theirs byte for byte, in any chunks", async () => {
    const files = readdirSync(folder ?? "").filter((name) => name.endsWith(".xml"));
    const texts = files.map((name) =>
      readFileSync(join(folder ?? "", name), "utf8")
        .replace(PROLOG, "")
        .trim(),
    );
    const records = texts.map(
      (text, index) =>
        `<o:record><o:header><o:identifier>${String(index)}</o:identifier><o:datestamp>2026-01-01</o:datestamp></o:header><o:metadata>${text}</o:metadata></o:record>`,
    );
    const page = `<o:OAI-PMH xmlns:o="http://www.openarchives.org/OAI/2.0/"><o:responseDate>2026-01-01T00:00:00Z</o:responseDate><o:ListRecords>${records.join("")}</o:ListRecords></o:OAI-PMH>`;
    const reader = readList(
      answer(page, { chunks: [16_384, 1000, 7] }),
      { want: "records", window: {}, set: "", granularity: "day" },
      { maxRecordBytes: 10_000_000, maxPageBytes: 100_000_000 },
    );
    const bodies: string[] = [];
    for await (const item of reader)
      bodies.push(
        item.kind === "record" ? Buffer.from(item.body ?? []).toString("utf8") : item.violation.message,
      );
    expect(bodies.length).toBe(texts.length);
    // A comment behind the root element belongs to no element.
    for (const [index, text] of texts.entries()) expect(text.startsWith(bodies[index]!)).toBe(true);
  });
});

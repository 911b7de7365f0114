import { describe, expect, it } from "vitest";
import { preGate, type PreGate } from "./pre-gate.js";

function text(answer: PreGate): string {
  return answer.kind === "ready" ? Buffer.from(answer.utf8).toString("utf8") : answer.violation.rule;
}

const accepted = [
  {
    name: "C57 byte-order mark before the declaration",
    given: Buffer.from('\ufeff<?xml version="1.0"?><a/>'),
    expect: '<?xml version="1.0"?><a/>',
  },
  {
    name: "C57 blank lines before the declaration",
    given: Buffer.from('\n \r\n<?xml version="1.0"?><a/>'),
    expect: '<?xml version="1.0"?><a/>',
  },
  {
    name: "C56 UTF-8 that declares UTF-16",
    given: Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>é</a>'),
    expect: '<?xml version="1.0" encoding="utf-16"?><a>é</a>',
  },
  {
    name: "windows-1252 as declared",
    given: Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>\x80</a>', "latin1"),
    expect: '<?xml version="1.0" encoding="windows-1252"?><a>€</a>',
  },
  {
    name: "latin-1 as declared",
    given: Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "latin1"),
    expect: "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>",
  },
  { name: "UTF-16 with a mark", given: Buffer.from("\ufeff<a>é</a>", "utf16le"), expect: "<a>é</a>" },
  {
    name: "a comment that speaks of <!DOCTYPE",
    given: Buffer.from("<!-- <!DOCTYPE a> --><a/>"),
    expect: "<!-- <!DOCTYPE a> --><a/>",
  },
  {
    name: "<!DOCTYPE inside CDATA",
    given: Buffer.from("<a><![CDATA[<!DOCTYPE x>]]></a>"),
    expect: "<a><![CDATA[<!DOCTYPE x>]]></a>",
  },
];

describe("what may go on to the XML engine", () => {
  it.each(accepted)("$name", (row) => {
    expect(text(preGate(row.given, 1000))).toBe(row.expect);
  });

  it("counts the lines it cut off, so that places still fit the payload", () => {
    expect(preGate(Buffer.from("\n\n  <a/>"), 100)).toMatchObject({ kind: "ready", linesBefore: 2 });
  });
});

const refused = [
  { name: "an empty payload", given: Buffer.alloc(0), rule: "empty" },
  { name: "blanks alone", given: Buffer.from(" \n\t"), rule: "empty" },
  { name: "more bytes than allowed", given: Buffer.from(`<a>${"x".repeat(1000)}</a>`), rule: "too-large" },
  {
    name: "C67 an external entity",
    given: Buffer.from('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
    rule: "doctype-forbidden",
    line: 1,
  },
  {
    name: "C67 a DOCTYPE behind declaration, comment and instruction",
    given: Buffer.from('\n<?xml version="1.0"?>\n<!-- x --><?p q?>\n <!DOCTYPE a><a/>'),
    rule: "doctype-forbidden",
    line: 4,
  },
  {
    name: "C67 a DOCTYPE in UTF-16, past a filter of bytes",
    given: Buffer.from("\ufeff<!DOCTYPE a><a/>", "utf16le"),
    rule: "doctype-forbidden",
    line: 1,
  },
  {
    name: "C56 a lone Latin-1 byte in UTF-8",
    given: Buffer.from("<a>\n\xe9</a>", "latin1"),
    rule: "bad-encoding",
    line: 2,
  },
  {
    name: "C56 a character cut in the middle",
    given: Buffer.from("<a>é</a>").subarray(0, 4),
    rule: "bad-encoding",
    line: 1,
  },
  {
    name: "overlong UTF-8",
    given: Buffer.from([0x3c, 0x61, 0x3e, 0xc0, 0xbc]),
    rule: "bad-encoding",
    line: 1,
  },
  {
    name: "UTF-7",
    given: Buffer.from('<?xml version="1.0" encoding="UTF-7"?><a/>'),
    rule: "encoding-unknown",
    line: 1,
  },
  {
    name: "a character set nobody knows",
    given: Buffer.from('<?xml version="1.0" encoding="x-\u0007"?><a/>'),
    rule: "encoding-unknown",
    line: 1,
  },
];

describe("what is refused before the XML engine sees it", () => {
  it.each(refused)("$name", ({ given, rule, line }) => {
    const answer = preGate(given, 1000);
    expect(answer.kind).toBe("refused");
    if (answer.kind !== "refused") return;
    expect(answer.violation).toMatchObject({ gate: "well-formed", rule, severity: "error" });
    expect(answer.violation.line).toBe(line);
  });

  it("says which byte is wrong", () => {
    const answer = preGate(Buffer.from(`<a>${"é".repeat(200)}\xff</a>`, "latin1"), 1000);
    expect(answer).toMatchObject({
      violation: { message: expect.stringContaining("not UTF-8 (byte 5)") as string },
    });
  });
});

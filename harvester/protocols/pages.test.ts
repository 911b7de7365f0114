import { describe, expect, it } from "vitest";
import { Fault } from "../fault.js";
import { specFor } from "./manifest-for-tests.js";
import { oaiPmh } from "./oai-pmh/index.js";
import type { ListJob, PageEvent } from "./page-events.js";
import { readPages } from "./pages.js";
import { listRecords, oaiDocument, recordText, type RecordText } from "./saved-answer.js";
import { reset, smallRepository, type SmallRepository } from "./small-repository.js";

const three: readonly RecordText[] = ["a", "b", "c"].map((identifier, index) => ({
  identifier,
  datestamp: `2026-03-01T08:00:0${String(index)}Z`,
}));
const five: readonly RecordText[] = [
  ...three,
  { identifier: "d", datestamp: "2026-03-01T09:00:00Z" },
  { identifier: "e", datestamp: "2026-03-01T09:00:00Z" },
];

function job(repository: SmallRepository, changes: Partial<ListJob> = {}): ListJob {
  return {
    protocol: oaiPmh,
    spec: specFor(),
    wire: repository.wire,
    want: "records",
    window: {},
    set: "",
    granularity: "second",
    limits: { maxRecordBytes: 100_000, maxPageBytes: 1_000_000 },
    ...changes,
  };
}

interface Story {
  /** Identifiers, and what happened between them: `|` a page, `^page` and `^window` a restart, `.` the end. */
  readonly told: string;
  readonly events: readonly PageEvent[];
  readonly fault?: Fault;
}

function word(event: PageEvent): string {
  if (event.kind === "item")
    return event.item.kind === "record" ? event.item.header.identifier : `!${event.item.identifier ?? ""}`;
  if (event.kind === "restart") return `^${event.scope}`;
  return event.kind === "page" ? "|" : event.complete ? "." : "(incomplete)";
}

async function story(given: ListJob): Promise<Story> {
  const events: PageEvent[] = [];
  let fault: Fault | undefined;
  try {
    for await (const event of readPages(given)) events.push(event);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = error;
  }
  return { told: events.map(word).join(" "), events, fault };
}

function warnings({ events }: Story): string[] {
  const end = events.at(-1);
  return end?.kind === "end" ? end.warnings.map((warning) => warning.code) : [];
}

function token(text: string, attributes = ""): string {
  return `<resumptionToken ${attributes}>${text}</resumptionToken>`;
}

describe("readPages", () => {
  it("reads a list to its end", async () => {
    const repository = smallRepository(five, { size: true });
    const { told, events } = await story(job(repository, { window: { from: "2026-03-01T08:00:00Z" } }));
    expect(told).toBe("a b | c d | e | .");
    expect(repository.log).toEqual([
      "ListRecords metadataPrefix=oai_dc from=2026-03-01T08:00:00Z",
      "ListRecords resumptionToken=2026-03-01T08:00:00Z||2",
      "ListRecords resumptionToken=2026-03-01T08:00:00Z||4",
    ]);
    expect(events.at(-1)).toEqual({
      kind: "end",
      complete: true,
      nothing: false,
      received: 5,
      unnamed: 0,
      windowTime: "2026-03-02T06:00:00Z",
      listSize: 5,
      warnings: [],
    });
    const pages = events.filter((event) => event.kind === "page");
    expect(pages.map(({ ordinal, items, received }) => [ordinal, items, received])).toEqual([
      [1, 2, 2],
      [2, 2, 4],
      [3, 1, 5],
    ]);
    expect(pages[0]?.resume).toEqual({
      token: "2026-03-01T08:00:00Z||2",
      window: { from: "2026-03-01T08:00:00Z" },
      windowTime: "2026-03-02T06:00:00Z",
      received: 2,
      listSize: 5,
    });
    expect(pages[2]?.resume).toBeUndefined();
  });

  it("C34 nothing is a complete list", async () => {
    const { told, events } = await story(job(smallRepository([])));
    expect(told).toBe("| .");
    expect(events.at(-1)).toMatchObject({
      complete: true,
      nothing: true,
      received: 0,
      windowTime: "2026-03-02T06:00:00Z",
    });
  });

  it("takes a list up again where it was left", async () => {
    const repository = smallRepository(five, { size: true });
    const resume = {
      token: "||2",
      window: {},
      windowTime: "2026-03-01T23:00:00Z",
      storedAt: "2026-03-01T23:00:09Z",
      received: 2,
      listSize: 5,
    };
    const { told, events } = await story(job(repository, { resume }));
    expect(told).toBe("c d | e | .");
    expect(events.at(-1)).toMatchObject({ received: 5, windowTime: "2026-03-01T23:00:00Z", complete: true });
  });

  it("C11 a token that expired begins the window anew", async () => {
    let expired = false;
    const repository = smallRepository(five, {
      misbehave: ({ arguments: args }) => {
        if (expired || args.get("resumptionToken") !== "||4") return undefined;
        expired = true;
        return oaiDocument('<error code="badResumptionToken"/>');
      },
    });
    const told = await story(job(repository));
    expect(told.told).toBe("a b | c d | ^window a b | c d | e | .");
    expect(told.events.at(-1)).toMatchObject({ received: 5, complete: true });
  });

  it("C11 but not for ever, and never as the end", async () => {
    const repository = smallRepository(five, {
      misbehave: ({ arguments: args }) =>
        args.has("resumptionToken") ? oaiDocument('<error code="badResumptionToken"/>') : undefined,
    });
    const { told, fault } = await story(job(repository, { budget: { maxRestarts: 2 } }));
    expect(told).toBe("a b | ^window a b | ^window a b |");
    expect(fault?.kind).toBe("token-expired");
  });

  it("C11 a stored token that expired between two runs begins the window anew", async () => {
    const repository = smallRepository(three, {
      misbehave: ({ arguments: args }) =>
        args.get("resumptionToken") === "old" ? oaiDocument('<error code="badResumptionToken"/>') : undefined,
    });
    const resume = {
      token: "old",
      window: {},
      windowTime: "2026-03-01T23:00:00Z",
      storedAt: "2026-03-01T23:00:09Z",
      received: 2,
    };
    expect((await story(job(repository, { resume }))).told).toBe("^window a b | c | .");
  });

  it.each([
    ["C78 a 502 in mid-list", { status: 502 }],
    ["C83 a reset", reset()],
  ])("%s asks the same page again", async (_, failure) => {
    let failed = 0;
    const repository = smallRepository(five, {
      misbehave: ({ arguments: args }) => (args.has("resumptionToken") && failed++ < 2 ? failure : undefined),
    });
    const { told } = await story(job(repository));
    expect(told).toBe("a b | c d | e | .");
    expect(repository.log.filter((line) => line.includes("||2")).length).toBe(3);
  });

  it("C66 C83 a page cut in the middle comes again, and says so", async () => {
    let cut = 0;
    const repository = smallRepository(five, {
      misbehave: ({ arguments: args }, right) =>
        args.get("resumptionToken") === "||2" && cut++ === 0 ? right().slice(0, -120) : undefined,
    });
    expect((await story(job(repository))).told).toBe("a b | c ^page c d | e | .");
  });

  it("C77 C78 a page that never comes ends the list with its fault", async () => {
    const repository = smallRepository(five, {
      misbehave: ({ arguments: args }) => (args.has("resumptionToken") ? { status: 503 } : undefined),
    });
    const { told, fault } = await story(job(repository));
    expect(told).toBe("a b |");
    expect(fault?.kind).toBe("throttled");
    expect(repository.log.length).toBe(4);
  });

  it("C87 a refusal is not repeated", async () => {
    const repository = smallRepository(five, { misbehave: () => ({ status: 403 }) });
    expect((await story(job(repository))).fault?.kind).toBe("denied");
    expect(repository.log.length).toBe(1);
  });

  it("C04 the same token and the same page for ever ends as list-loop", async () => {
    const repository = smallRepository(three, {
      misbehave: () => listRecords(three.map(recordText), token("T")),
    });
    const { fault } = await story(job(repository));
    expect(`${fault?.kind ?? ""} ${fault?.code ?? ""}`).toBe("list-loop SamePage");
    expect(repository.log.length).toBe(3);
  });

  it("C04 a repeated token with other records is no loop", async () => {
    const repository = smallRepository(five, {
      misbehave: ({ ordinal }) =>
        listRecords([recordText(five[ordinal - 1]!)], ordinal < 5 ? token("T") : ""),
    });
    expect((await story(job(repository))).told).toBe("a | b | c | d | e | .");
  });

  it("C06 tokens that run past the end wrap around", async () => {
    const repository = smallRepository(three, {
      misbehave: ({ ordinal }) =>
        listRecords(
          [recordText(three[(ordinal - 1) % 3]!)],
          token(`t${String(ordinal)}`, 'completeListSize="3"'),
        ),
    });
    const { told, fault } = await story(job(repository));
    expect(told).toBe("a | b | c | a | b");
    expect(`${fault?.kind ?? ""} ${fault?.code ?? ""}`).toBe("list-loop WrapAround");
  });

  it("C94 a record on two pages is no loop", async () => {
    const repository = smallRepository(three, {
      misbehave: ({ ordinal }) =>
        listRecords(
          [recordText(three[[0, 0, 1, 1][ordinal - 1] ?? 2]!)],
          ordinal < 5 ? token(`t${String(ordinal)}`) : "",
        ),
    });
    expect((await story(job(repository))).told).toBe("a | a | b | b | c | .");
  });

  it.each([
    ["an empty page", oaiDocument("<ListRecords/>")],
    ["noRecordsMatch", oaiDocument('<error code="noRecordsMatch"/>')],
  ])("C07 %s behind the last full one ends the list", async (_, last) => {
    const repository = smallRepository(three, {
      misbehave: ({ ordinal }) =>
        ordinal === 1 ? listRecords(three.map(recordText), token("t", 'completeListSize="3"')) : last,
    });
    const told = await story(job(repository));
    expect(told.told).toBe("a b c | | .");
    expect(told.events.at(-1)).toMatchObject({ nothing: false, complete: true });
    expect(warnings(told)).toContain("empty-last-page");
  });

  it("C07 so does a refused token when everything announced has come", async () => {
    const repository = smallRepository(three, {
      misbehave: ({ ordinal }) =>
        ordinal === 1
          ? listRecords(three.map(recordText), token("t", 'completeListSize="3"'))
          : oaiDocument('<error code="badResumptionToken"/>'),
    });
    const told = await story(job(repository));
    expect(told.told).toBe("a b c | .");
    expect(warnings(told)).toEqual(["token-after-end"]);
  });

  it("C16 a list that stops short of its announced size is incomplete (the lost token of OJS)", async () => {
    const repository = smallRepository(three, {
      misbehave: () => listRecords(three.map(recordText), token("", 'completeListSize="500" cursor="0"')),
    });
    const told = await story(job(repository));
    expect(told.told).toBe("a b c | (incomplete)");
    expect(warnings(told)).toEqual(["list-cut"]);
  });

  it("C16 a size a little or much too small, or shrinking, stops nothing", async () => {
    const sizes = ["2", "1"];
    const repository = smallRepository(five, {
      misbehave: ({ ordinal }) =>
        listRecords(
          [recordText(five[ordinal - 1]!)],
          token(ordinal < 5 ? `t${String(ordinal)}` : "", `completeListSize="${sizes[ordinal % 2]!}"`),
        ),
    });
    const told = await story(job(repository));
    expect(told.told).toBe("a | b | c | d | e | .");
    expect(warnings(told)).toEqual(["list-size"]);
  });

  it("C26 an unsorted list is as good as a sorted one", async () => {
    const { told, events } = await story(job(smallRepository([...five].reverse())));
    expect(told).toBe("e d | c b | a | .");
    expect(events.at(-1)).toMatchObject({ windowTime: "2026-03-02T06:00:00Z" });
  });

  it("C27 the window's time is that of the first answer", async () => {
    const repository = smallRepository(five, {
      misbehave: ({ ordinal }, right) =>
        right().replace("2026-03-02T06:00:00Z", `2026-03-02T06:0${String(ordinal)}:00Z`),
    });
    expect((await story(job(repository))).events.at(-1)).toMatchObject({
      windowTime: "2026-03-02T06:01:00Z",
    });
  });

  it("budgets: empty pages with tokens, and pages at all", async () => {
    const empty = smallRepository([], {
      misbehave: ({ ordinal }) => oaiDocument(`<ListRecords>${token(`t${String(ordinal)}`)}</ListRecords>`),
    });
    expect((await story(job(empty, { budget: { maxEmptyPages: 3 } }))).fault?.code).toBe("EmptyPages");
    expect(empty.log.length).toBe(4);
    expect((await story(job(smallRepository(five), { budget: { maxPages: 2 } }))).fault?.code).toBe(
      "PageBudget",
    );
  });

  it("a source that loses the window on its second page is told", async () => {
    const repository = smallRepository(three, { misbehave: () => listRecords(three.map(recordText)) });
    const told = await story(job(repository, { window: { from: "2026-03-05T00:00:00Z" } }));
    expect(warnings(told)).toEqual(["filter-ignored"]);
  });

  it("C52 a damaged record is delivered, so that it does not look absent", async () => {
    const repository = smallRepository(three, {
      misbehave: () => listRecords([recordText(three[0]!), recordText(three[1]!).replace("</metadata>", "")]),
    });
    expect((await story(job(repository))).told).toBe("a !b | .");
  });

  it("what has no identifier is counted, as nobody can say that it is absent", async () => {
    const garbled = recordText(three[1]!)
      .replace("<record>", "<recrod>")
      .replace("<identifier>", "<identifer>");
    const repository = smallRepository(three, {
      misbehave: () => listRecords([recordText(three[0]!), garbled]),
    });
    const { told, events } = await story(job(repository));
    expect(told).toBe("a ! | .");
    expect(events.at(-1)).toMatchObject({ unnamed: 1 });
  });

  it("a consumer that stops in the middle closes the body", async () => {
    let closed = false;
    async function* body(): AsyncGenerator<Uint8Array, void, void> {
      try {
        for (;;)
          yield await Promise.resolve(
            Buffer.from(listRecords([recordText(three[0]!)]).replace("</ListRecords></OAI-PMH>", "")),
          );
      } finally {
        closed = true;
      }
    }
    const repository = smallRepository([]);
    const wire = {
      ...repository.wire,
      send: () => Promise.resolve({ status: 200, headers: {}, url: "u", warnings: [], body: body() }),
    };
    for await (const event of readPages(job({ ...repository, wire }))) if (event.kind === "item") break;
    expect(closed).toBe(true);
  });
});

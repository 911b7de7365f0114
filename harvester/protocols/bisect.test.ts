import { describe, expect, it } from "vitest";
import { splitWindow } from "../detect/window.js";
import { Fault } from "../fault.js";
import { readWindow, type WindowJob } from "./bisect.js";
import type { PageItem } from "../record.js";
import { specFor } from "./manifest-for-tests.js";
import { oaiPmh } from "./oai-pmh/index.js";
import type { ListEnd } from "./page-events.js";
import { oaiDocument, type RecordText } from "./saved-answer.js";
import { smallRepository, type Asked, type SmallRepository } from "./small-repository.js";

const capabilities = {
  granularity: "second",
  earliest: "2026-03-01T00:00:00Z",
  serverTime: "2026-03-02T06:00:00Z",
} as const;
/** A record every ten minutes of one day. */
const records: readonly RecordText[] = Array.from({ length: 144 }, (_, index) => {
  const time = `${String(Math.floor(index / 6)).padStart(2, "0")}:${String((index % 6) * 10).padStart(2, "0")}`;
  return { identifier: `r${String(index)}`, datestamp: `2026-03-01T${time}:00Z` };
});

function job(repository: SmallRepository, changes: Partial<WindowJob> = {}): WindowJob {
  return {
    protocol: oaiPmh,
    spec: specFor(),
    wire: repository.wire,
    want: "records",
    window: {},
    set: "",
    granularity: "second",
    limits: { maxRecordBytes: 100_000, maxPageBytes: 1_000_000 },
    split: (window) => splitWindow(window, capabilities),
    ...changes,
  };
}

/** Does the page asked for hold this record? */
function holds(asked: Asked, right: () => string, identifier: string): boolean {
  return asked.verb === "ListRecords" && right().includes(`<identifier>${identifier}</identifier>`);
}

/** As a run does it: what is delivered since the last page is forgotten at a restart. */
async function harvested(
  given: WindowJob,
): Promise<{ sound: Set<string>; broken: string[]; end?: ListEnd; fault?: Fault }> {
  const committed: PageItem[] = [];
  let pending: PageItem[] = [];
  let end: ListEnd | undefined;
  let fault: Fault | undefined;
  try {
    for await (const event of readWindow(given)) {
      if (event.kind === "item") pending.push(event.item);
      else if (event.kind !== "restart") committed.push(...pending);
      if (event.kind !== "item") pending = [];
      if (event.kind === "end") end = event;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = error;
    committed.push(...pending);
  }
  return {
    sound: new Set(names(committed, "record")),
    broken: [...new Set(names(committed, "broken"))],
    end,
    fault,
  };
}

function names(items: readonly PageItem[], kind: PageItem["kind"]): string[] {
  return items
    .filter((item) => item.kind === kind)
    .map((item) => (item.kind === "record" ? item.header.identifier : (item.identifier ?? "?")));
}

const all = new Set(records.map((record) => record.identifier));
function allBut(...missing: readonly string[]): Set<string> {
  return new Set([...all].filter((identifier) => !missing.includes(identifier)));
}

describe("readWindow", () => {
  it("is readPages where nothing is wrong", async () => {
    const repository = smallRepository(records, { pageSize: 50 });
    const { sound, end } = await harvested(job(repository));
    expect(sound).toEqual(all);
    expect(end).toMatchObject({ complete: true, received: 144 });
    expect(repository.log.length).toBe(3);
  });

  it.each([
    ["500", { status: 500 }],
    ["200-garbage", "<html>Fatal error</html>"],
    ["a list of garbage", oaiDocument("<ListRecords>Fatal error: out of memory</ListRecords>")],
    ["a broken envelope", oaiDocument("</oops>")],
  ])("C18 a record that makes every page with it answer %s costs itself alone", async (_, failure) => {
    const repository = smallRepository(records, {
      pageSize: 50,
      misbehave: (asked, right) => {
        const alone = asked.verb === "GetRecord" && asked.arguments.get("identifier") === "r70";
        return alone || holds(asked, right, "r70") ? failure : undefined;
      },
    });
    const { sound, broken, end } = await harvested(job(repository));
    expect(sound).toEqual(allBut("r70"));
    expect(broken).toEqual(["r70"]);
    expect(end).toMatchObject({ complete: true, windowTime: "2026-03-02T06:00:00Z" });
    expect(repository.log.length).toBeLessThan(120);
  });

  it("C18 where the record alone can be had, nothing is lost", async () => {
    const repository = smallRepository(records, {
      pageSize: 50,
      misbehave: (asked, right) => (holds(asked, right, "r70") ? { status: 500 } : undefined),
    });
    const { sound, broken } = await harvested(job(repository));
    expect(sound).toEqual(all);
    expect(broken).toEqual([]);
  });

  it("C18 two poisoned records", async () => {
    const repository = smallRepository(records, {
      pageSize: 50,
      misbehave: (asked, right) => {
        const alone =
          asked.verb === "GetRecord" && ["r0", "r143"].includes(asked.arguments.get("identifier") ?? "");
        return alone || holds(asked, right, "r0") || holds(asked, right, "r143")
          ? { status: 500 }
          : undefined;
      },
    });
    const { sound, broken } = await harvested(job(repository));
    expect(sound).toEqual(allBut("r0", "r143"));
    expect(broken.sort()).toEqual(["r0", "r143"]);
  });

  it("C18 a source that is down is left in peace", async () => {
    const repository = smallRepository(records, { misbehave: () => ({ status: 500 }) });
    const { fault } = await harvested(job(repository));
    expect(fault?.kind).toBe("transient");
    expect(repository.log).toEqual([
      ...Array.from({ length: 3 }, () => "ListRecords metadataPrefix=oai_dc"),
      "Identify",
    ]);
  });

  it("C18 and so is one that fails everything but Identify", async () => {
    const repository = smallRepository(records, {
      misbehave: ({ verb }) => (verb === "Identify" ? undefined : { status: 500 }),
    });
    const { fault } = await harvested(job(repository, { maxFailedParts: 10 }));
    expect(fault?.kind).toBe("transient");
    expect(repository.log.length).toBeLessThanOrEqual(4 + 10 * 2);
  });

  it("C32 a list too large is asked for in parts", async () => {
    const repository = smallRepository(records, {
      pageSize: 50,
      misbehave: (asked, right) =>
        !asked.arguments.has("resumptionToken") && (right().match(/<record>/g)?.length ?? 0) > 40
          ? { status: 413 }
          : undefined,
    });
    const { sound, end } = await harvested(job(repository));
    expect(sound).toEqual(all);
    expect(end?.complete).toBe(true);
  });

  it("C11 tokens that always expire: the window is split until no token is needed", async () => {
    const repository = smallRepository(records, {
      pageSize: 50,
      misbehave: ({ arguments: args }) =>
        args.has("resumptionToken") ? oaiDocument('<error code="badResumptionToken"/>') : undefined,
    });
    const { sound, end } = await harvested(job(repository));
    expect(sound).toEqual(all);
    expect(end?.complete).toBe(true);
  });

  it("C44 a record that vanishes while it is fetched alone is passed over and told", async () => {
    const repository = smallRepository(records, {
      pageSize: 50,
      misbehave: (asked, right) => {
        if (asked.verb === "GetRecord") return oaiDocument('<error code="idDoesNotExist"/>');
        return holds(asked, right, "r70") ? { status: 500 } : undefined;
      },
    });
    const { sound, broken, end } = await harvested(job(repository));
    expect(sound).toEqual(allBut("r70"));
    expect(broken).toEqual([]);
    expect(end?.warnings.map((warning) => warning.code)).toContain("vanished");
  });

  it("many records failing one after the other are not poison", async () => {
    const same = Array.from({ length: 20 }, (_, index) => ({
      identifier: `s${String(index)}`,
      datestamp: "2026-03-01T08:00:00Z",
    }));
    const repository = smallRepository(same, {
      misbehave: ({ verb }) => (verb === "ListRecords" || verb === "GetRecord" ? { status: 500 } : undefined),
    });
    const { fault, broken } = await harvested(
      job(repository, { window: { from: "2026-03-01T08:00:00Z", until: "2026-03-01T08:00:01Z" } }),
    );
    expect(fault?.kind).toBe("transient");
    expect(broken.length).toBe(4);
  });

  it("C87 C91 a refusal is never narrowed", async () => {
    const repository = smallRepository(records, { misbehave: () => ({ status: 401 }) });
    expect((await harvested(job(repository))).fault?.kind).toBe("denied");
    expect(repository.log.length).toBe(1);
  });
});

/** What is remembered of a list while it is read, and the judgement of each page (cases C04, C06, C07, C16). */
import { Fault } from "../fault.js";
import type { Instant, PageEnd, PageItem, Warning, Window } from "../record.js";
import type { Budget, ListEnd, ListJob, ResumePoint } from "./page-events.js";
import { present } from "./present.js";
import { hash52, hashOfItem, SeenHashes } from "./seen.js";

/** What one page holds, counted while its items pass. A page that is read again is counted again. */
export class PageTally {
  items = 0;
  outside = 0;
  unnamed = 0;
  readonly hashes: number[] = [];
  readonly #window: Window;

  constructor(window: Window) {
    this.#window = window;
  }

  add(item: PageItem): void {
    this.items++;
    this.hashes.push(hashOfItem(item));
    if (item.kind === "broken" && item.identifier === undefined) this.unnamed++;
    const datestamp = item.kind === "record" ? item.header.datestamp : undefined;
    if (datestamp !== undefined && isOutside(datestamp, this.#window)) this.outside++;
  }

  /** The same records give the same digest in whatever order. */
  get digest(): string {
    const sorted = [...this.hashes].sort((a, b) => a - b);
    return sorted.join(",");
  }
}

/** Days are compared, so that no granularity makes a record of the edge an outsider. */
function isOutside(datestamp: Instant, window: Window): boolean {
  const day = datestamp.slice(0, 10);
  return (
    (window.from !== undefined && day < window.from.slice(0, 10)) ||
    (window.until !== undefined && day > window.until.slice(0, 10))
  );
}

export class ListState {
  token: string | undefined;
  ordinal = 0;
  received: number;
  restarts = 0;
  windowTime: Instant | undefined;
  listSize: number | undefined;
  readonly warnings = new Map<string, Warning>();
  readonly #job: ListJob;
  readonly #budget: Budget;
  #distinct: number;
  #seen = new SeenHashes();
  #pages = new SeenHashes();
  #empty = 0;
  #stale = 0;
  #outside = 0;
  #unnamed = 0;

  constructor(job: ListJob, budget: Budget) {
    this.#job = job;
    this.#budget = budget;
    this.token = job.resume?.token;
    this.received = job.resume?.received ?? 0;
    this.#distinct = this.received;
    this.windowTime = job.resume?.windowTime;
    this.listSize = job.resume?.listSize;
  }

  /** The window is asked anew; the first answer's time stays, being the earliest. */
  restart(): void {
    this.restarts++;
    this.token = undefined;
    this.received = 0;
    this.#distinct = 0;
    this.#seen = new SeenHashes();
    this.#pages = new SeenHashes();
    this.#empty = 0;
    this.#stale = 0;
  }

  /** Everything the source announced has come: then a refused token, too, is only a clumsy end (case C07). */
  get hasAll(): boolean {
    return this.listSize !== undefined && this.listSize > 0 && this.#distinct >= this.listSize;
  }

  warn(code: string, sentence: string): void {
    if (!this.warnings.has(code)) this.warnings.set(code, { code, sentence });
  }

  /** Takes a page in. Throws Fault `list-loop`. */
  accept(end: PageEnd, tally: PageTally): void {
    const asked = this.token;
    const first = this.ordinal === 0 && this.#job.resume === undefined;
    this.ordinal++;
    this.received += tally.items;
    this.windowTime ??= end.responseDate;
    this.listSize = end.listSize ?? this.listSize;
    this.token = end.token;
    for (const warning of end.warnings) this.warn(warning.code, warning.sentence);
    const fresh = this.#remember(tally);
    if (end.token === undefined) {
      if (tally.items === 0 && !first) {
        this.warn(
          "empty-last-page",
          "The last page of the list was empty: the source counts its pages wrongly, harmlessly.",
        );
      }
      return;
    }
    this.#refuseLoop({ asked: asked ?? "", tally, fresh });
  }

  #remember(tally: PageTally): number {
    let fresh = 0;
    for (const hash of tally.hashes) if (this.#seen.add(hash)) fresh++;
    this.#distinct += fresh;
    this.#outside += tally.outside;
    this.#unnamed += tally.unnamed;
    return fresh;
  }

  #refuseLoop(page: { asked: string; tally: PageTally; fresh: number }): void {
    const { asked, tally, fresh } = page;
    // A repeated token alone is no loop: some servers keep the position in a session (case C04).
    if (!this.#pages.add(hash52(`${asked}\n${tally.digest}`)))
      throw loop("SamePage", "The source gives the same page for the same token again and again");
    this.#empty = tally.items === 0 ? this.#empty + 1 : 0;
    if (this.#empty > this.#budget.maxEmptyPages)
      throw loop(
        "EmptyPages",
        `The source gave ${String(this.#empty)} empty pages in a row, each with a token for more`,
      );
    this.#stale = tally.items > 0 && fresh === 0 ? this.#stale + 1 : 0;
    if (this.#stale >= 2)
      throw loop(
        "WrapAround",
        "The list has begun again from the front: two pages in a row hold only records that already came",
      );
    if (this.ordinal >= this.#budget.maxPages)
      throw loop("PageBudget", `The list has more than ${String(this.#budget.maxPages)} pages`);
  }

  resumePoint(): ResumePoint | undefined {
    if (this.token === undefined || this.windowTime === undefined) return undefined;
    const { token, windowTime, received, listSize } = this;
    return present<ResumePoint>({ token, window: this.#job.window, windowTime, received, listSize });
  }

  /** The list ended by protocol; whether all of it came is another question (case C16, OJS' lost tokens). */
  end(nothing: boolean): ListEnd {
    const size = this.listSize;
    const missing = size === undefined ? 0 : size - this.#distinct;
    const cut = size !== undefined && missing > (size * this.#budget.tolerancePercent) / 100;
    const counts = `${String(this.#distinct)} records came, ${String(size ?? 0)} were announced (completeListSize)`;
    if (cut) this.warn("list-cut", `The list ended early: ${counts}. It counts as incomplete.`);
    else if (missing !== 0 && !nothing)
      this.warn("list-size", `The list's size was announced wrongly: ${counts}.`);
    if (this.#outside > 0) {
      this.warn(
        "filter-ignored",
        `${String(this.#outside)} records lie outside the dates that were asked for: the source lost or ignores them.`,
      );
    }
    const { received, windowTime } = this;
    const unnamed = this.#unnamed;
    const warnings = [...this.warnings.values()];
    return present<ListEnd>({
      kind: "end",
      complete: !cut,
      nothing,
      received,
      unnamed,
      windowTime,
      listSize: size,
      warnings,
    });
  }
}

function loop(code: string, what: string): Fault {
  return new Fault("list-loop", {
    code,
    sentence: `${what}; the list would never end.`,
    remedy:
      "Nothing was withdrawn and the watermark stays. Narrow the list with spec.delta.maxWindowDays, and tell the source's operator.",
  });
}

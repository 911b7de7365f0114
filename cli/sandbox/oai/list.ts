/** ListRecords and ListIdentifiers: pages, tokens, and what a server gets wrong about them. */
import type { Striking } from "../faults/armed-faults.js";
import { START, type Entry, type ListQuery, type Position } from "../repository/repository.js";
import { formatDatestamp } from "./datestamp.js";
import type { Chunk } from "./envelope.js";
import { HttpRefusal } from "./http-refusal.js";
import { OaiError, type Question } from "./question.js";
import { headerXml, pageDamage, recordXml, type Writing } from "./record-xml.js";
import { formatNamed, type Site } from "./site.js";
import { tokenXml } from "./token-xml.js";
import type { IssuedToken, ListState } from "./tokens.js";

/** After every record there is: where a `trailing-token` leads. */
const BEYOND: Position = { in: "changes", stamp: Number.MAX_SAFE_INTEGER, sequence: 0 };

interface Page {
  readonly entries: readonly Entry[];
  /** Position of the page's last record, for pages that overlap. */
  readonly last?: Position;
  /** Where the next page begins; absent at the end. */
  readonly next?: Position;
}

export function listXml(
  site: Site,
  question: Question,
  how: Omit<Writing, "format" | "site">,
): readonly Chunk[] {
  const { striking, style } = how;
  const token = question.arguments.resumptionToken;
  if (token !== undefined && striking.has("expired-token"))
    throw new OaiError("badResumptionToken", "The resumption token has expired.");
  const state =
    token === undefined
      ? startList(site, question, striking)
      : site.tokens.read(token, listVerb(question), site.now());
  const page = striking.has("empty-page") ? { entries: [], next: state.position } : readPage(site, state);
  if (page.entries.length === 0 && page.next === undefined)
    throw new OaiError("noRecordsMatch", "No record matches the request.");
  const writing: Writing = { site, style, striking, format: state.query.format };
  const issued =
    striking.has("repeated-token") && token !== undefined
      ? { token }
      : nextToken(site, { state, page, striking });
  const p = style.prefix;
  return [
    `<${p}${state.verb}>\n`,
    ...pageXml(writing, state, page.entries),
    tokenXml({ site, style, striking, state, issued, expiresText: expiryText(issued) }),
    `</${p}${state.verb}>\n`,
  ];
}

function listVerb(question: Question): "ListRecords" | "ListIdentifiers" {
  return question.verb === "ListIdentifiers" ? "ListIdentifiers" : "ListRecords";
}

function startList(site: Site, question: Question, striking: Striking): ListState {
  const { metadataPrefix = "", set = "" } = question.arguments;
  if (set !== "" && !site.sets) throw new OaiError("noSetHierarchy", "This repository has no sets.");
  const format = formatNamed(site, metadataPrefix);
  if (format === undefined)
    throw new OaiError("cannotDisseminateFormat", `This repository does not offer ${metadataPrefix}.`);
  const from = striking.has("ignores-from") ? undefined : question.from;
  const query: ListQuery = {
    format,
    set,
    ...(from === undefined ? {} : { from }),
    ...(question.until === undefined ? {} : { until: question.until }),
  };
  const listSize = site.repository.count(query);
  refuseTooMuch(site, { until: question.until, listSize }, striking);
  return { verb: listVerb(question), query, position: START, cursor: 0, listSize };
}

/** Servers that take fewer questions than the protocol lets a harvester ask (cases C29, C32). */
function refuseTooMuch(
  site: Site,
  asked: { readonly until: number | undefined; readonly listSize: number },
  striking: Striking,
): void {
  if (striking.has("refuses-future") && asked.until !== undefined && asked.until > site.now()) {
    throw new OaiError("badArgument", "until lies in the future.");
  }
  const limit = striking.get("list-too-large");
  if (limit !== undefined && asked.listSize > Number(limit.value ?? 1000))
    throw new HttpRefusal(limit.status ?? 413);
}

function readPage(site: Site, state: ListState): Page {
  const entries: Entry[] = [];
  let last: Position | undefined;
  for (const { entry, position } of site.repository.walk(state.query, state.position)) {
    if (entries.length === site.live.pageSize)
      return { entries, next: position, ...(last === undefined ? {} : { last }) };
    entries.push(entry);
    last = position;
  }
  return { entries, ...(last === undefined ? {} : { last }) };
}

function pageXml(writing: Writing, state: ListState, entries: readonly Entry[]): readonly Chunk[] {
  if (state.verb === "ListIdentifiers") return entries.map((entry) => headerXml(writing, entry));
  const damage = pageDamage(writing.striking, entries.length);
  return entries.flatMap((entry, n) => recordXml(writing, entry, (body) => damage(n + 1, body)));
}

interface Turning {
  readonly state: ListState;
  readonly page: Page;
  readonly striking: Striking;
}

/** The token after this page; undefined = the list ends here. */
function nextToken(site: Site, turning: Turning): IssuedToken | undefined {
  const position = nextPosition(turning);
  if (position === undefined) return undefined;
  const { state, page, striking } = turning;
  const cursor =
    position === START ? 0 : state.cursor + page.entries.length - (striking.has("page-overlap") ? 1 : 0);
  const issued = site.tokens.issue({ ...state, position, cursor }, site.now());
  if (striking.has("zero-token")) return { ...issued, token: site.tokens.alias(issued.token, "zero") };
  return striking.has("awkward-token")
    ? { ...issued, token: site.tokens.alias(issued.token, "awkward") }
    : issued;
}

function nextPosition({ page, striking }: Turning): Position | undefined {
  if (striking.has("list-cut-short")) return undefined;
  if (page.next !== undefined)
    return striking.has("page-overlap") && page.entries.length > 1 ? page.last : page.next;
  if (striking.has("wrap-around")) return START;
  return striking.has("trailing-token") ? BEYOND : undefined;
}

function expiryText(issued: IssuedToken | undefined): string | undefined {
  return issued?.expires === undefined ? undefined : formatDatestamp(issued.expires, "second");
}

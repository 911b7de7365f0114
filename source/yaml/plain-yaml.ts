/**
 * The YAML that nearly every manifest is written in: one document, block maps and lists, texts on one line, no anchors,
 * no tags, nothing that YAML 1.1 and 1.2 read differently. Read thirty times faster than by the library, which gives
 * the places of every word; whoever needs a place asks the library then. What is not surely plain is left to it.
 */

/** A manifest nests four deep. */
const MAX_DEPTH = 12;

export type PlainValue = string | number | boolean | PlainMap | readonly string[];
export interface PlainMap {
  [key: string]: PlainValue;
}

/** The map that this text is, or undefined when it is not surely plain: ask source/yaml/documents.ts then. */
export function readPlainYaml(text: string): PlainMap | undefined {
  // Tabs, carriage returns and other characters that may part lines are for those who know all the rules.
  if (!/^[\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe]*$/.test(text)) return undefined;
  const lines = linesOf(text);
  if (lines === undefined || lines.length === 0) return undefined;
  const reader: Reader = { lines, at: 0 };
  const map = readMap(reader, 0, 0);
  return reader.at === lines.length ? map : undefined;
}

interface Line {
  readonly indent: number;
  /** Without indentation and comment. */
  readonly text: string;
}

interface Reader {
  readonly lines: readonly Line[];
  at: number;
}

/** Lines that hold something; undefined when a second document may begin. */
function linesOf(text: string): readonly Line[] | undefined {
  const lines: Line[] = [];
  for (const raw of text.split("\n")) {
    const indent = raw.search(/[^ ]/);
    if (indent === -1 || raw[indent] === "#") continue;
    const line = raw.slice(indent).replace(/ +$/, "");
    if (indent === 0 && /^(---|\.\.\.)/.test(line)) {
      if (line !== "---" || lines.length > 0) return undefined;
      continue;
    }
    lines.push({ indent, text: line });
  }
  return lines;
}

/** `key:` or `key: rest`. */
const KEY = /^([A-Za-z][A-Za-z0-9_./-]*):(?: +(.*))?$/;

function readMap(reader: Reader, indent: number, depth: number): PlainMap | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const map: PlainMap = {};
  for (let line = reader.lines[reader.at]; line !== undefined; line = reader.lines[reader.at]) {
    if (line.indent < indent) break;
    const [, key = "", rest] = (line.indent === indent ? KEY.exec(line.text) : null) ?? [];
    if (!isNewKey(map, key)) return undefined;
    reader.at += 1;
    const value = readValue(reader, { indent, depth, rest });
    if (value === undefined) return undefined;
    map[key] = value;
  }
  return map;
}

interface Below {
  /** Of the key. */
  readonly indent: number;
  readonly depth: number;
  /** What stands behind the colon. */
  readonly rest: string | undefined;
}

function readValue(reader: Reader, { indent, depth, rest }: Below): PlainValue | undefined {
  const next = reader.lines[reader.at];
  if (rest !== undefined && !rest.startsWith("#")) {
    // A line that is indented further would go on with this text.
    return next !== undefined && next.indent > indent ? undefined : inline(rest);
  }
  // An empty field is a finding.
  if (next === undefined || next.indent < indent) return undefined;
  if (next.text.startsWith("- ")) return readList(reader, next.indent);
  return next.indent === indent ? undefined : readMap(reader, next.indent, depth + 1);
}

function inline(text: string): PlainValue | undefined {
  return text.startsWith("[") || text.startsWith("{") ? flowOf(text) : scalarOf(text);
}

/** A list of texts: no field of a manifest has another. */
function readList(reader: Reader, indent: number): readonly string[] | undefined {
  const items: string[] = [];
  for (let line = reader.lines[reader.at]; line !== undefined; line = reader.lines[reader.at]) {
    if (line.indent < indent || (line.indent === indent && !line.text.startsWith("-"))) break;
    const item =
      line.indent === indent && line.text.startsWith("- ")
        ? scalarOf(line.text.slice(2).trimStart())
        : undefined;
    if (typeof item !== "string") return undefined;
    items.push(item);
    reader.at += 1;
  }
  return items;
}

/** `[a, b]` or `{ a: 1, b: c }` on one line, with or without a comment behind it; nothing nested in it. */
const FLOW = /^([[{]) *([^[\]{}#]*?) *([\]}])(?: +#.*)?$/;
const FLOW_ITEM = /^(?:"[^"\\,]*"|'[^',]*'|[A-Za-z0-9/][A-Za-z0-9_./+ -]*)$/;
const FLOW_PAIR = /^([A-Za-z][A-Za-z0-9_.-]*): +(.*)$/;

function flowOf(text: string): PlainValue | undefined {
  const [, open, inside = "", close] = FLOW.exec(text) ?? [];
  const parts = inside.split(",").map((part) => part.trim());
  if (open === "[" && close === "]") return flowList(parts);
  return open === "{" && close === "}" ? flowMap(parts) : undefined;
}

function flowList(parts: readonly string[]): readonly string[] | undefined {
  const items = parts.map(flowScalar).filter((item) => typeof item === "string");
  return items.length === parts.length ? items : undefined;
}

function flowMap(parts: readonly string[]): PlainMap | undefined {
  const map: PlainMap = {};
  for (const part of parts) {
    const [, key = "", rest = ""] = FLOW_PAIR.exec(part) ?? [];
    const value = flowScalar(rest);
    if (value === undefined || !isNewKey(map, key)) return undefined;
    map[key] = value;
  }
  return map;
}

function flowScalar(text: string): string | number | boolean | undefined {
  return FLOW_ITEM.test(text) ? scalarOf(text) : undefined;
}

/** A name that is a text in YAML 1.1 and 1.2, stands here for the first time, and means nothing to JavaScript. */
function isNewKey(map: PlainMap, key: string): boolean {
  return key !== "" && !isSpecialWord(key) && !Object.hasOwn(map, key) && !(key in Object.prototype);
}

/** A text in quotes without escapes, with or without a comment behind it. */
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')(?: +#.*)?$/;
/** A text without quotes, of characters that mean nothing in a block. The first says that it is no other kind of node. */
const BARE = /^([A-Za-z0-9/][A-Za-z0-9_./+=?&%@~,;()*$<>^|:' -]*?)(?: +#.*)?$/;

function scalarOf(text: string): string | number | boolean | undefined {
  const quoted = QUOTED.exec(text);
  return quoted === null ? bareOf(BARE.exec(text)?.[1]) : (quoted[1] ?? quoted[2]);
}

function bareOf(bare: string | undefined): string | number | boolean | undefined {
  if (bare === undefined || /:( |$)/.test(bare)) return undefined;
  if (bare === "true" || bare === "false") return bare === "true";
  if (/^(0|[1-9][0-9]{0,14})$/.test(bare)) return Number(bare);
  return isSpecialWord(bare) || isNumberLike(bare) ? undefined : bare;
}

/** Words that are no texts in YAML 1.1 or 1.2. */
function isSpecialWord(word: string): boolean {
  return word.length <= 5 && /^(y|n|yes|no|on|off|true|false|null)$/i.test(word);
}

/** What a number, a date or a time of YAML 1.1 or 1.2 may be made of. */
function isNumberLike(word: string): boolean {
  return /^[0-9][0-9A-Fa-f_.:+xXoO-]*$/.test(word);
}

/** Reads the arguments of a request as strictly as OAI-PMH §3.1, §3.6 and §4 are written. Pure. */
import { readDatestamp, type Granularity } from "./datestamp.js";

export const verbs = [
  "Identify",
  "ListMetadataFormats",
  "ListSets",
  "ListIdentifiers",
  "ListRecords",
  "GetRecord",
] as const;
export type Verb = (typeof verbs)[number];

export type OaiErrorCode =
  | "badVerb"
  | "badArgument"
  | "badResumptionToken"
  | "cannotDisseminateFormat"
  | "idDoesNotExist"
  | "noRecordsMatch"
  | "noMetadataFormats"
  | "noSetHierarchy";

/** Thrown for what the protocol answers with an `error` element. */
export class OaiError extends Error {
  readonly code: OaiErrorCode;

  constructor(code: OaiErrorCode, message: string) {
    super(message);
    this.name = "OaiError";
    this.code = code;
  }
}

type Argument = "identifier" | "metadataPrefix" | "from" | "until" | "set" | "resumptionToken";

export interface Question {
  readonly verb: Verb;
  readonly arguments: Readonly<Partial<Record<Argument, string>>>;
  /** Seconds of the epoch, inclusive. */
  readonly from?: number;
  readonly until?: number;
}

interface Rule {
  readonly required: readonly Argument[];
  readonly optional: readonly Argument[];
  /** May a resumption token replace all of them? */
  readonly token: boolean;
}

const LIST: Rule = { required: ["metadataPrefix"], optional: ["from", "until", "set"], token: true };

const rules: Readonly<Record<Verb, Rule>> = {
  Identify: { required: [], optional: [], token: false },
  ListMetadataFormats: { required: [], optional: ["identifier"], token: false },
  ListSets: { required: [], optional: [], token: true },
  ListIdentifiers: LIST,
  ListRecords: LIST,
  GetRecord: { required: ["identifier", "metadataPrefix"], optional: [], token: false },
};

export function isVerb(text: string | null): text is Verb {
  return verbs.some((verb) => verb === text);
}

/** Throws badVerb or badArgument. */
export function readQuestion(query: URLSearchParams, granularity: Granularity): Question {
  const verb = readVerb(query);
  const given = readArguments(query, verb);
  checkPresence(given, verb);
  return { verb, arguments: given, ...readWindow(given, granularity) };
}

function readVerb(query: URLSearchParams): Verb {
  const asked = query.getAll("verb");
  if (asked.length === 0) throw new OaiError("badVerb", "The argument verb is missing.");
  if (asked.length > 1) throw new OaiError("badVerb", "The argument verb is repeated.");
  const [verb = ""] = asked;
  if (!isVerb(verb)) throw new OaiError("badVerb", `${verb} is no verb of OAI-PMH 2.0.`);
  return verb;
}

function readArguments(query: URLSearchParams, verb: Verb): Question["arguments"] {
  const rule = rules[verb];
  const known: readonly string[] = [
    ...rule.required,
    ...rule.optional,
    ...(rule.token ? ["resumptionToken"] : []),
  ];
  const given: Record<string, string> = {};
  for (const [name, value] of query) {
    if (name === "verb") continue;
    if (!known.includes(name)) throw new OaiError("badArgument", `${verb} has no argument ${name}.`);
    if (name in given) throw new OaiError("badArgument", `The argument ${name} is repeated.`);
    given[name] = value;
  }
  return given;
}

function checkPresence(given: Question["arguments"], verb: Verb): void {
  if (given.resumptionToken !== undefined) {
    if (Object.keys(given).length > 1)
      throw new OaiError("badArgument", "resumptionToken is exclusive: it is sent alone with the verb.");
    return;
  }
  const missing = rules[verb].required.find((name) => given[name] === undefined || given[name] === "");
  if (missing !== undefined) throw new OaiError("badArgument", `${verb} needs the argument ${missing}.`);
  if (given.set === "") throw new OaiError("badArgument", "The argument set is empty.");
}

function readWindow(
  given: Question["arguments"],
  granularity: Granularity,
): Pick<Question, "from" | "until"> {
  const from = readEnd("from", given.from, granularity);
  const until = readEnd("until", given.until, granularity);
  if (from !== undefined && until !== undefined) {
    if (from.granularity !== until.granularity)
      throw new OaiError("badArgument", "from and until have different granularities.");
    if (from.first > until.last) throw new OaiError("badArgument", "from is later than until.");
  }
  return {
    ...(from === undefined ? {} : { from: from.first }),
    ...(until === undefined ? {} : { until: until.last }),
  };
}

function readEnd(
  name: "from" | "until",
  text: string | undefined,
  granularity: Granularity,
): ReturnType<typeof readDatestamp> {
  if (text === undefined) return undefined;
  const read = readDatestamp(text);
  if (read === undefined) throw new OaiError("badArgument", `${name} is not a datestamp: ${text}`);
  if (granularity === "day" && read.granularity === "second") {
    throw new OaiError(
      "badArgument",
      `${name} has seconds, the granularity of this repository is YYYY-MM-DD.`,
    );
  }
  return read;
}

/** Identify, read tolerantly (§4.2; cases C19, C24, C85): what is missing or odd becomes a warning. */
import { Fault } from "../../fault.js";
import type { HttpResponse } from "../../http.js";
import type { Capabilities, Instant, Warning } from "../../record.js";
import { childrenNamed, childText, type XmlElement } from "../xml-reader.js";
import { readDatestamp } from "./datestamp.js";
import { cleaned } from "./foreign.js";
import { readWhole } from "./read.js";

export async function readIdentify(response: HttpResponse): Promise<Capabilities> {
  const document = await readWhole(response);
  const identify = childrenNamed(document.root, "Identify")[0];
  if (identify === undefined) throw noIdentify();
  const warnings = [...document.warnings, ...oddities(identify, response)];
  const earliest = earliestOf(identify, { serverTime: document.responseDate, warnings });
  const name = cleaned(childText(identify, "repositoryName") ?? "").slice(0, 200);
  return {
    granularity: granularityOf(identify, warnings),
    deletedRecord: deletedRecordOf(identify, warnings),
    ...(earliest === undefined ? {} : { earliest }),
    ...(document.responseDate === undefined ? {} : { serverTime: document.responseDate }),
    ...(name === "" ? {} : { repositoryName: name }),
    warnings,
  };
}

function noIdentify(): Fault {
  return new Fault("protocol", {
    code: "NoIdentify",
    sentence: "The answer is an OAI-PMH document, but does not identify the repository.",
    remedy: "Check spec.baseUrl: a query of its own may select another verb.",
  });
}

function oddities(identify: XmlElement, response: HttpResponse): Warning[] {
  const warnings: Warning[] = [];
  const version = childText(identify, "protocolVersion");
  if (version !== "2.0") {
    warnings.push({
      code: "protocol-version",
      sentence: `The repository says it speaks version '${cleaned(version ?? "").slice(0, 20)}', not 2.0.`,
    });
  }
  const says = childText(identify, "baseURL") ?? "";
  if (plain(says) !== plain(response.url)) {
    // Never adopted: it may point into someone's private network (case C85).
    warnings.push({
      code: "base-url-differs",
      sentence: `The repository calls itself ${cleaned(says).slice(0, 200) || "nothing"}; spec.baseUrl stays what is asked.`,
    });
  }
  return warnings;
}

/** Without scheme, query and a closing slash, which differ harmlessly. */
function plain(url: string): string {
  return url
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/[?#].*$/s, "")
    .replace(/\/$/, "")
    .toLowerCase();
}

/** Days are what every repository must support (§3.3.1). */
function granularityOf(identify: XmlElement, warnings: Warning[]): "day" | "second" {
  const text = childText(identify, "granularity") ?? "";
  if (/^YYYY-MM-DDThh:mm:ss(\.s+)?Z?$/i.test(text)) return "second";
  if (!/^YYYY-MM-DD$/i.test(text)) {
    warnings.push({
      code: "granularity",
      sentence: `The granularity '${cleaned(text).slice(0, 40)}' is unknown; days are used.`,
    });
  }
  return "day";
}

/** Anything unknown promises nothing. */
function deletedRecordOf(identify: XmlElement, warnings: Warning[]): Capabilities["deletedRecord"] {
  const text = (childText(identify, "deletedRecord") ?? "").toLowerCase();
  if (text === "persistent" || text === "transient" || text === "no") return text;
  warnings.push({
    code: "deleted-record",
    sentence: `The deletedRecord policy '${cleaned(text).slice(0, 40)}' is unknown; it is taken for 'no'.`,
  });
  return "no";
}

function earliestOf(
  identify: XmlElement,
  given: { serverTime: Instant | undefined; warnings: Warning[] },
): Instant | undefined {
  const text = childText(identify, "earliestDatestamp");
  const earliest = readDatestamp(text);
  if (earliest !== undefined && (given.serverTime === undefined || earliest <= given.serverTime))
    return earliest;
  given.warnings.push({
    code: "earliest-datestamp",
    sentence: `The earliestDatestamp '${cleaned(text ?? "").slice(0, 40)}' is no time in the past; it is not used.`,
  });
  return undefined;
}

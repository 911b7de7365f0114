/** Requests of OAI-PMH (§3.1, §4): the base URL's own query is kept, each argument is percent-encoded exactly once. */
import type { HarvestSourceSpec } from "../../../source/harvest-source.generated.js";
import type { HttpRequest } from "../../http.js";
import type { ListQuestion } from "../protocol.js";
import { writeDatestamp } from "./datestamp.js";

/** An argument that is absent or undefined is not sent. */
function request(spec: HarvestSourceSpec, args: Readonly<Record<string, string | undefined>>): HttpRequest {
  const query = Object.entries(args)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const [base = ""] = spec.baseUrl.split("#", 1);
  const joint = !base.includes("?") ? "?" : base.endsWith("?") || base.endsWith("&") ? "" : "&";
  return {
    method: "GET",
    url: base + joint + query,
    headers: { accept: "text/xml, application/xml;q=0.9, */*;q=0.1" },
  };
}

export function askIdentify(spec: HarvestSourceSpec): HttpRequest {
  return request(spec, { verb: "Identify" });
}

export function askList(spec: HarvestSourceSpec, question: ListQuestion): HttpRequest {
  const verb = question.want === "records" ? "ListRecords" : "ListIdentifiers";
  if (question.token !== undefined) {
    // An exclusive argument (§4.5). Some servers insist on the prefix all the same, others refuse it (cases C13, C14).
    const metadataPrefix = spec.token.alsoSendPrefix ? spec.metadataPrefix : undefined;
    return request(spec, { verb, resumptionToken: question.token, metadataPrefix });
  }
  const { from, until } = question.window;
  return request(spec, {
    verb,
    metadataPrefix: spec.metadataPrefix,
    from: from === undefined ? undefined : writeDatestamp(from, question.granularity),
    until: until === undefined ? undefined : writeDatestamp(until, question.granularity),
    set: question.set === "" ? undefined : question.set,
  });
}

export function askRecord(spec: HarvestSourceSpec, identifier: string): HttpRequest {
  return request(spec, { verb: "GetRecord", identifier, metadataPrefix: spec.metadataPrefix });
}

export function askFormats(spec: HarvestSourceSpec): HttpRequest {
  return request(spec, { verb: "ListMetadataFormats" });
}

export function askSets(spec: HarvestSourceSpec, token?: string): HttpRequest {
  return request(spec, { verb: "ListSets", resumptionToken: token });
}

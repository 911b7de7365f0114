/** What a repository offers: metadata prefixes (§4.4) and sets (§4.6). */
import { Fault } from "../../fault.js";
import type { HttpResponse } from "../../http.js";
import { childrenNamed, childText, type XmlElement } from "../xml-reader.js";
import { readPageEnd, type OaiDocument } from "./envelope.js";
import { readWhole } from "./read.js";

function namesIn(
  document: OaiDocument,
  verb: string,
  path: readonly [string, string],
): { list?: XmlElement; names: string[] } {
  const list = childrenNamed(document.root, verb)[0];
  if (list === undefined) return { names: [] };
  const names = childrenNamed(list, path[0]).map((child) => childText(child, path[1]));
  return { list, names: names.filter((name) => name !== undefined) };
}

export async function readFormats(response: HttpResponse): Promise<readonly string[]> {
  const document = await unless("FormatNotSupported", response, false);
  return document === undefined
    ? []
    : namesIn(document, "ListMetadataFormats", ["metadataFormat", "metadataPrefix"]).names;
}

/** A repository without sets has none: no fault. */
export async function readSets(
  response: HttpResponse,
): Promise<{ readonly sets: readonly string[]; readonly token?: string }> {
  const document = await unless("SetsNotSupported", response, true);
  if (document === undefined) return { sets: [] };
  const { list, names } = namesIn(document, "ListSets", ["set", "setSpec"]);
  const { token } = readPageEnd(document, list);
  return { sets: names, ...(token === undefined ? {} : { token }) };
}

/** The document; undefined when the source said with this code that there is nothing to list. */
async function unless(
  code: string,
  response: HttpResponse,
  sentToken: boolean,
): Promise<OaiDocument | undefined> {
  try {
    const document = await readWhole(response, sentToken);
    return document.nothing ? undefined : document;
  } catch (error) {
    if (error instanceof Fault && error.code === code) return undefined;
    throw error;
  }
}

/** How to get it: online resources of the distribution and of service operations, and formats. */
import type { Link } from "../../canonical.js";
import { all, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped, distinct } from "../limits.js";
import { present } from "../present.js";
import { readableUrl } from "../readable.js";
import { path } from "./names.js";
import { code, linkage, text, texts, type Reading } from "./values.js";

const TRANSFER = path("gmd:distributionInfo/*/gmd:transferOptions/*/gmd:onLine/*");
const DISTRIBUTOR = path(
  "gmd:distributionInfo/*/gmd:distributor/*/gmd:distributorTransferOptions/*/gmd:onLine/*",
);
const OPERATION = path("gmd:identificationInfo/*/srv:containsOperations/*/srv:connectPoint/*");
const DATA_SET_URI = path("gmd:dataSetURI");
const FORMAT = path("gmd:distributionInfo/*/gmd:distributionFormat/*/gmd:name");
const DISTRIBUTOR_FORMAT = path("gmd:distributionInfo/*/gmd:distributor/*/gmd:distributorFormat/*/gmd:name");
const NAME = path("gmd:name");
const DESCRIPTION = path("gmd:description");
const PROTOCOL = path("gmd:protocol");
const FUNCTION = path("gmd:function");

/** Transfer options, those of distributors, service operations, then the data set's own address; repeats once. */
export function linksOf(metadata: XmlElement, reading: Reading): readonly Link[] {
  const resources = [...all(metadata, TRANSFER), ...all(metadata, DISTRIBUTOR), ...all(metadata, OPERATION)];
  const links = capped(resources, reading.remarks).flatMap((resource) => linkOf(resource, reading) ?? []);
  const address = readableUrl(text(first(metadata, DATA_SET_URI), "line", reading) ?? "");
  if (address !== undefined && !links.some(({ url }) => url === address)) links.push({ url: address });
  return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
}

function linkOf(resource: XmlElement, reading: Reading): Link | undefined {
  const url = linkage(resource, reading.remarks);
  if (url === undefined) return undefined;
  return present({
    url,
    name: text(first(resource, NAME), "line", reading),
    description: text(first(resource, DESCRIPTION), "prose", reading),
    protocol: text(first(resource, PROTOCOL), "word", reading),
    function: code(first(resource, FUNCTION)),
  });
}

export function formatsOf(metadata: XmlElement, reading: Reading): readonly string[] {
  return distinct(texts([...all(metadata, FORMAT), ...all(metadata, DISTRIBUTOR_FORMAT)], "word", reading));
}

/** Everything the answers are made from: one value handed to every verb. */
import type { Format } from "../content/format.js";
import type { Repository } from "../repository/repository.js";
import type { Granularity } from "./datestamp.js";
import type { Tokens } from "./tokens.js";

export interface Site {
  readonly repository: Repository;
  readonly tokens: Tokens;
  readonly granularity: Granularity;
  readonly formats: readonly Format[];
  readonly sets: boolean;
  readonly listSize: boolean;
  readonly provenance: boolean;
  readonly repositoryName: string;
  readonly adminEmail: string;
  readonly gzip: boolean;
  /** Changed by the control. */
  readonly live: { pageSize: number; clockOffsetMs: number; baseUrl: string };
  /** The server's clock, in seconds of the epoch, offset included. */
  now(): number;
}

interface FormatFacts {
  readonly namespace: string;
  readonly schema: string;
}

export const formatFacts: Readonly<Record<Format, FormatFacts>> = {
  oai_dc: {
    namespace: "http://www.openarchives.org/OAI/2.0/oai_dc/",
    schema: "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
  },
  iso19139: {
    namespace: "http://www.isotc211.org/2005/gmd",
    schema: "http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd",
  },
};

/** The format of that name when this repository offers it. */
export function formatNamed(site: Site, prefix: string): Format | undefined {
  return site.formats.find((format) => format === prefix);
}

/**
 * What a protocol is: it asks (builds a request) and reads (turns an answer into our nouns). It sends nothing, waits
 * for nothing and has no clock; harvester/protocols/pages.ts owns the loop, harvester/fetch the wire.
 */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { HttpRequest, HttpResponse } from "../http.js";
import type { Capabilities, PageEnd, PageItem, RawRecord, Window } from "../record.js";

export interface ListQuestion {
  /** Headers only (for sweeps), or whole records. */
  readonly want: "records" | "headers";
  readonly window: Window;
  /** "" = the whole repository. */
  readonly set: string;
  /** The token of the next page; when there is one the protocol decides what else may be sent with it. */
  readonly token?: string;
  readonly granularity: Capabilities["granularity"];
}

/** Items as their bytes arrive; the generator's return value is what the end of the page tells. */
export type PageReader = AsyncGenerator<PageItem, PageEnd, void>;

export interface ReadLimits {
  readonly maxRecordBytes: number;
  readonly maxPageBytes: number;
}

export interface Protocol {
  /** = folder name = value of spec.protocol. */
  readonly id: string;
  readonly identify: {
    ask(spec: HarvestSourceSpec): HttpRequest;
    read(response: HttpResponse): Promise<Capabilities>;
  };
  readonly list: {
    ask(spec: HarvestSourceSpec, question: ListQuestion): HttpRequest;
    /** Throws a Fault when the answer is no page of this protocol. */
    read(response: HttpResponse, question: ListQuestion, limits: ReadLimits): PageReader;
  };
  readonly get: {
    ask(spec: HarvestSourceSpec, identifier: string): HttpRequest;
    /** Undefined: the source no longer has it (idDoesNotExist, case C44). */
    read(response: HttpResponse, limits: ReadLimits): Promise<RawRecord | undefined>;
  };
  /** Names of the formats and sets a source offers, for preflight (C41) and vanished sets (C42). */
  readonly inventory: {
    formats: {
      ask(spec: HarvestSourceSpec): HttpRequest;
      read(response: HttpResponse): Promise<readonly string[]>;
    };
    sets: {
      ask(spec: HarvestSourceSpec, token?: string): HttpRequest;
      read(response: HttpResponse): Promise<{ readonly sets: readonly string[]; readonly token?: string }>;
    };
  };
}

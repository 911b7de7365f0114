/**
 * The one shape every metadata format is mapped to. Nothing in it that is not in the source: no defaults, no guesses,
 * no clock. Absent means absent. Field names follow ISO 19115 where it has a word.
 */

export interface CanonicalRecord {
  /** Version of this shape. */
  readonly schema: 1;
  /** The format it came from: a metadataPrefix with a transform. */
  readonly format: string;
  /** The publisher's own identifier of the resource or record (fileIdentifier, DOI …): not the OAI identifier. */
  readonly identifier?: string;
  readonly otherIdentifiers: readonly string[];
  readonly title: string;
  readonly alternateTitles: readonly string[];
  readonly abstract?: string;
  /** ISO scope code or dc:type: dataset, series, service … */
  readonly type?: string;
  readonly dates: readonly DatedEvent[];
  /** When the metadata itself was last touched, as written. */
  readonly metadataDate?: string;
  readonly boundingBoxes: readonly BoundingBox[];
  readonly places: readonly string[];
  readonly temporal: readonly TemporalExtent[];
  readonly keywords: readonly Keyword[];
  /** ISO topic category codes. */
  readonly topics: readonly string[];
  readonly contacts: readonly Contact[];
  readonly links: readonly Link[];
  readonly formats: readonly string[];
  /** Licence and constraints. */
  readonly constraints: Constraints;
  /** Languages of the resource, as written in the source (e.g. `eng`). */
  readonly languages: readonly string[];
  readonly metadataLanguage?: string;
  readonly lineage?: string;
  /** parentIdentifier or isPartOf. */
  readonly parent?: string;
  /** Spatial reference systems, as written. */
  readonly referenceSystems: readonly string[];
  /** Other resources this one names, as written: dc:relation and dc:source, ISO cross references. */
  readonly relations?: readonly string[];
}

export interface DatedEvent {
  /** creation, publication, revision … or `date` where the source does not say. */
  readonly event: string;
  /** As written, when it is a date this product can read: YYYY, YYYY-MM, YYYY-MM-DD, YYYYMMDD or a date-time; a zone may follow. */
  readonly date: string;
}

/** Degrees, WGS 84. west > east means the box crosses the antimeridian. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Both ends as written; an absent end is open. */
export interface TemporalExtent {
  readonly start?: string;
  readonly end?: string;
}

export interface Keyword {
  readonly value: string;
  readonly href?: string;
  readonly thesaurus?: string;
  /** theme, place, discipline … */
  readonly type?: string;
}

export interface Contact {
  /** CI_RoleCode; absent where the source does not say. */
  readonly role?: string;
  /** Where it stood: metadata, resource, citation, distributor. */
  readonly of: "metadata" | "resource" | "citation" | "distributor";
  readonly organisation?: string;
  readonly individual?: string;
  /** A name of which the source does not say whether it is a person's or an organisation's (Dublin Core). */
  readonly name?: string;
  readonly position?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly url?: string;
}

export interface Link {
  readonly url: string;
  readonly name?: string;
  readonly description?: string;
  readonly protocol?: string;
  /** CI_OnLineFunctionCode: download, information … */
  readonly function?: string;
}

export interface Constraints {
  /** First licence URI found; never a default. */
  readonly licence?: string;
  readonly access: readonly string[];
  readonly use: readonly string[];
  /** otherConstraints and useLimitation texts. */
  readonly texts: readonly string[];
}

/** The words generated records are made of: one file a language, all of the same shape. */

export type ThemeKey =
  | "hydrography"
  | "bathymetry"
  | "tides"
  | "parcels"
  | "land-cover"
  | "soil"
  | "habitats"
  | "protected-sites"
  | "roads"
  | "air-quality"
  | "climate"
  | "population";

export interface Theme {
  readonly key: ThemeKey;
  /** Hierarchical setSpec (OAI-PMH §2.6). */
  readonly set: string;
  /** ISO 19115 topic category code. */
  readonly topic: string;
}

export const themes: readonly Theme[] = [
  { key: "hydrography", set: "water:hydrography", topic: "inlandWaters" },
  { key: "bathymetry", set: "water:bathymetry", topic: "elevation" },
  { key: "tides", set: "water:tides", topic: "oceans" },
  { key: "parcels", set: "land:parcels", topic: "planningCadastre" },
  { key: "land-cover", set: "land:land-cover", topic: "imageryBaseMapsEarthCover" },
  { key: "soil", set: "land:soil", topic: "geoscientificInformation" },
  { key: "habitats", set: "nature:habitats", topic: "biota" },
  { key: "protected-sites", set: "nature:protected-sites", topic: "environment" },
  { key: "roads", set: "built:roads", topic: "transportation" },
  { key: "air-quality", set: "air:air-quality", topic: "environment" },
  { key: "climate", set: "air:climate", topic: "climatologyMeteorologyAtmosphere" },
  { key: "population", set: "people:population", topic: "society" },
];

export interface ThemeWords {
  readonly title: string;
  readonly keywords: readonly string[];
}

export interface Place {
  readonly name: string;
  /** Centre, degrees, WGS 84. */
  readonly lon: number;
  readonly lat: number;
}

export interface Agency {
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly postcode: string;
  readonly country: string;
  /** Always under example.org: nobody's mailbox. */
  readonly domain: string;
}

/** Sentences may hold {theme}, {place}, {year}, {count} and {agency}. */
export interface Sentences {
  readonly abstract: readonly string[];
  readonly purpose: readonly string[];
  readonly lineage: readonly string[];
  readonly step: readonly string[];
  readonly supplement: readonly string[];
  readonly limitation: readonly string[];
  readonly licence: string;
  readonly revision: string;
  readonly sheet: string;
}

export interface Language {
  /** ISO 639-2/B. */
  readonly code: string;
  readonly themes: Readonly<Record<ThemeKey, ThemeWords>>;
  readonly places: readonly Place[];
  readonly agencies: readonly Agency[];
  readonly people: readonly string[];
  readonly positions: readonly string[];
  readonly sentences: Sentences;
}

export type Values = Readonly<Record<"theme" | "place" | "year" | "count" | "agency", string>>;

/** A sentence with its places filled. */
export function fill(sentence: string, values: Values): string {
  return sentence.replace(/\{(theme|place|year|count|agency)\}/g, (_, name: keyof Values) => values[name]);
}

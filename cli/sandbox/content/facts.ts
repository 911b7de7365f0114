/** What is said in a generated record, whatever the format it is written in. A function of (seed, index, version). */
import { dice, mix, uuidOf, type Dice } from "./random.js";
import { dayOf, stampOf } from "./timeline.js";
import { fill, themes, type Agency, type Language, type Theme, type Values } from "./vocabulary.js";
import { english } from "./words-english.js";
import { french } from "./words-french.js";
import { german } from "./words-german.js";
import { spanish } from "./words-spanish.js";

/** English twice: about two records in five. */
const languages: readonly Language[] = [english, german, french, spanish, english];

export interface Party {
  readonly name: string;
  readonly position: string;
  readonly email: string;
  readonly phone: string;
  readonly agency: Agency;
}

export interface RecordFacts {
  readonly index: number;
  readonly version: number;
  readonly language: Language;
  readonly theme: Theme;
  readonly agency: Agency;
  readonly fileIdentifier: string;
  readonly parent?: string;
  readonly scope: "dataset" | "series";
  readonly title: string;
  readonly alternateTitle: string;
  readonly abstract: string;
  readonly purpose: string;
  readonly lineage: string;
  readonly steps: readonly string[];
  readonly supplement: string;
  readonly limitations: readonly string[];
  readonly keywords: readonly string[];
  readonly place: string;
  readonly metadataDate: string;
  readonly created: string;
  readonly published: string;
  readonly revised?: string;
  readonly begin: string;
  /** Absent: the series still grows. */
  readonly end?: string;
  readonly box: {
    readonly west: string;
    readonly east: string;
    readonly south: string;
    readonly north: string;
  };
  readonly parties: readonly Party[];
  readonly scale: number;
  readonly epsg: string;
  /** How much the publisher cared to write: decides which optional parts are there. */
  readonly detail: "lean" | "usual" | "rich";
}

/** The theme decides the set, so it must be cheap: it is asked of every record a filtered list passes over. */
export function themeOf(seed: number, index: number): Theme {
  return themes[mix(seed ^ 0x5e7, index) % themes.length] as Theme;
}

/** Which of five publishing offices serves a record: its second, flat set. */
export function officeOf(seed: number, index: number): number {
  return 1 + (mix(seed ^ 0x0ff1ce, index) % 5);
}

export function factsOf(seed: number, index: number, version: number): RecordFacts {
  const throws = dice(seed, index);
  const language = throws.pick(languages);
  const theme = themeOf(seed, index);
  const agency = throws.pick(language.agencies);
  const place = throws.pick(language.places);
  const year = 1995 + throws.int(25);
  const values: Values = {
    theme: language.themes[theme.key].title,
    place: place.name,
    year: String(year),
    count: String(120 + throws.int(48_000)),
    agency: agency.name,
  };
  return {
    index,
    version,
    language,
    theme,
    agency,
    place: place.name,
    fileIdentifier: uuidOf(seed, index),
    ...(throws.oneIn(6) ? { parent: uuidOf(seed, Math.floor(index / 10)) } : {}),
    scope: throws.oneIn(8) ? "series" : "dataset",
    ...words(throws, language, values),
    title: titleOf(language, values, { index, version }),
    alternateTitle: `${theme.key.toUpperCase()}-${place.name.slice(0, 3).toUpperCase()}-${String(index)}`,
    keywords: language.themes[theme.key].keywords.slice(0, 2 + throws.int(3)),
    metadataDate: dayOf(stampOf(index) + version * 30 * 86_400),
    ...dates(throws, year),
    box: boxAround(throws, place),
    parties: parties(throws, language),
    scale: throws.pick([5_000, 10_000, 25_000, 50_000, 100_000]),
    epsg: throws.pick(["4326", "4258", "25832", "3857", "4269"]),
    detail: throws.pick(["lean", "lean", "usual", "rich"] as const),
  };
}

function titleOf(
  language: Language,
  values: Values,
  of: { readonly index: number; readonly version: number },
): string {
  const { sheet, revision } = language.sentences;
  const edition = of.version === 0 ? "" : `, ${revision} ${String(of.version)}`;
  return `${values.theme}: ${values.place} ${values.year}, ${sheet} ${String(of.index)}${edition}`;
}

function words(
  throws: Dice,
  language: Language,
  values: Values,
): Pick<RecordFacts, "abstract" | "purpose" | "lineage" | "steps" | "supplement" | "limitations"> {
  const s = language.sentences;
  function several(list: readonly string[], atLeast: number): string[] {
    const taken = Math.min(list.length, atLeast + throws.int(list.length));
    return list.slice(0, taken).map((each) => fill(each, values));
  }
  return {
    abstract: several(s.abstract, 3).join(" "),
    purpose: fill(throws.pick(s.purpose), values),
    lineage: fill(throws.pick(s.lineage), values),
    steps: several(s.step, 1),
    supplement: fill(throws.pick(s.supplement), values),
    limitations: several(s.limitation, 1),
  };
}

function dates(
  throws: Dice,
  year: number,
): Pick<RecordFacts, "created" | "published" | "revised" | "begin" | "end"> {
  function day(y: number): string {
    return `${String(y)}-${two(1 + throws.int(12))}-${two(1 + throws.int(28))}`;
  }
  return {
    begin: day(year - 1 - throws.int(4)),
    ...(throws.oneIn(10) ? {} : { end: day(year) }),
    created: day(year + 1),
    published: day(year + 2),
    ...(throws.oneIn(3) ? { revised: day(year + 3) } : {}),
  };
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** A box of 0.02 to 1.2 degrees round the place; none reaches the antimeridian or a pole. */
function boxAround(throws: Dice, place: { readonly lon: number; readonly lat: number }): RecordFacts["box"] {
  const lon = place.lon + throws.between(-0.5, 0.5);
  const lat = place.lat + throws.between(-0.5, 0.5);
  const [width, height] = [throws.between(0.01, 0.6), throws.between(0.01, 0.6)];
  return {
    west: (lon - width).toFixed(4),
    east: (lon + width).toFixed(4),
    south: (lat - height).toFixed(4),
    north: (lat + height).toFixed(4),
  };
}

function parties(throws: Dice, language: Language): readonly Party[] {
  return Array.from({ length: 2 + throws.int(3) }, () => {
    const agency = throws.pick(language.agencies);
    return {
      name: throws.pick(language.people),
      position: throws.pick(language.positions),
      email: `${throws.pick(["data", "info", "metadata", "gis"])}@${agency.domain}`,
      phone: `+${String(1 + throws.int(60))} 555 ${String(100000 + throws.int(899999))}`,
      agency,
    };
  });
}

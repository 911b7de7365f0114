/** What about: keywords with their thesaurus, and topic categories. */
import type { Keyword } from "../../canonical.js";
import { all, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped, cutText, distinct, textLimits } from "../limits.js";
import { present } from "../present.js";
import { oneLine } from "../readable.js";
import { path } from "./names.js";
import { code, href, isNil, text, type Reading } from "./values.js";

const KEYWORDS = path("gmd:descriptiveKeywords/*");
const KEYWORD = path("gmd:keyword");
const TYPE = path("gmd:type");
const THESAURUS = path("gmd:thesaurusName/*/gmd:title");
const TOPIC = path("gmd:topicCategory");

/** One element is one keyword: it is never split, since paths of GCMD and others contain `>` and commas. */
export function keywordsOf(identification: XmlElement, reading: Reading): readonly Keyword[] {
  const groups = capped(all(identification, KEYWORDS), reading.remarks);
  const found = groups.flatMap((group) => all(group, KEYWORD).map((property) => ({ group, property })));
  const kept = new Set(
    capped(
      found.map(({ property }) => property),
      reading.remarks,
    ),
  );
  const keywords = new Map<string, Keyword>();
  const about = new Map(groups.map((group) => [group, aboutGroup(group, reading)]));
  for (const { group, property } of found) {
    const value = kept.has(property) ? text(property, "word", reading) : undefined;
    if (value === undefined) continue;
    const keyword = present({ value, href: href(property), ...about.get(group) });
    const key = JSON.stringify([value, keyword.thesaurus]);
    if (!keywords.has(key)) keywords.set(key, keyword);
  }
  return [...keywords.values()];
}

function aboutGroup(group: XmlElement, reading: Reading): Pick<Keyword, "thesaurus" | "type"> {
  return present({
    thesaurus: text(first(group, THESAURUS), "line", reading),
    type: code(first(group, TYPE)),
  });
}

/** MD_TopicCategoryCode is an enumeration: its value is the element's text, not a codeListValue. */
export function topicsOf(identification: XmlElement, { remarks }: Reading): readonly string[] {
  const topics = capped(all(identification, TOPIC), remarks).flatMap((property) => {
    const written = isNil(property) ? "" : oneLine(property.children[0]?.text ?? "");
    return written === "" ? (code(property) ?? []) : cutText(written, textLimits.word);
  });
  return distinct(topics);
}

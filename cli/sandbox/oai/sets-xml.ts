/** ListSets, in pages of the same size as records: harvesters forget that this list has tokens too. */
import { element, type Style } from "./envelope.js";
import { OaiError, type Question } from "./question.js";
import type { Site } from "./site.js";

export function setsXml(site: Site, question: Question, style: Style): string {
  if (!site.sets) throw new OaiError("noSetHierarchy", "This repository has no sets.");
  const start = startOf(question.arguments.resumptionToken);
  const all = site.repository.content.sets;
  const page = all.slice(start, start + site.live.pageSize);
  if (page.length === 0)
    throw new OaiError("badResumptionToken", "This repository issued no such resumption token.");
  const p = style.prefix;
  const sets = page.map(
    ({ spec, name }) =>
      `<${p}set>${element(style, "setSpec", spec)}${element(style, "setName", name)}</${p}set>\n`,
  );
  return `<${p}ListSets>\n${sets.join("")}${tokenOf({ style, start, end: start + page.length, size: all.length })}</${p}ListSets>\n`;
}

function startOf(token: string | undefined): number {
  if (token === undefined) return 0;
  if (!/^sets-[1-9]\d{0,8}$/.test(token))
    throw new OaiError("badResumptionToken", "This repository issued no such resumption token.");
  return Number(token.slice(5));
}

function tokenOf({
  style,
  start,
  end,
  size,
}: {
  readonly style: Style;
  readonly start: number;
  readonly end: number;
  readonly size: number;
}): string {
  if (start === 0 && end === size) return "";
  const text = end === size ? "" : `sets-${String(end)}`;
  const name = `${style.prefix}resumptionToken`;
  return `<${name} completeListSize="${String(size)}" cursor="${String(start)}">${text}</${name}>\n`;
}

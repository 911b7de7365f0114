import { escapeXml } from "../content/iso-parts.js";
import type { Striking } from "../faults/armed-faults.js";
import type { Style } from "./envelope.js";
import type { Site } from "./site.js";
import type { IssuedToken, ListState } from "./tokens.js";

export interface TokenElement {
  readonly site: Site;
  readonly style: Style;
  readonly striking: Striking;
  readonly state: ListState;
  /** Absent: the list is over. */
  readonly issued: IssuedToken | undefined;
  readonly expiresText: string | undefined;
}

/** The resumptionToken element: none for a list of one page, an empty one on the last page (OAI-PMH §3.5). */
export function tokenXml({ site, style, striking, state, issued, expiresText }: TokenElement): string {
  const isWhole = issued === undefined && state.cursor === 0 && !striking.has("list-cut-short");
  if (isWhole) return "";
  const attributes = [
    ...(expiresText === undefined ? [] : [` expirationDate="${expiresText}"`]),
    ...(site.listSize ? sizes(striking, state) : []),
  ];
  const name = `${style.prefix}resumptionToken`;
  if (issued === undefined) return `<${name}${attributes.join("")}/>\n`;
  const text = escapeXml(issued.token);
  return `<${name}${attributes.join("")}>${striking.has("spaced-token") ? `\n      ${text}\n   ` : text}</${name}>\n`;
}

function sizes(striking: Striking, state: ListState): readonly string[] {
  const wrong = striking.get("wrong-list-size");
  const size = wrong === undefined ? String(state.listSize) : (wrong.value ?? "abc");
  return [
    ...(size === "" ? [] : [` completeListSize="${escapeXml(size)}"`]),
    ` cursor="${String(state.cursor)}"`,
  ];
}

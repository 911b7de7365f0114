/** The namespaces of ISO 19139 and ISO 19115-2, and paths over them (the source's own prefixes play no part). */
import { pathsOver } from "../../xml/tree-path.js";

export const GMD = "http://www.isotc211.org/2005/gmd";
export const GMI = "http://www.isotc211.org/2005/gmi";
export const GCO = "http://www.isotc211.org/2005/gco";
const GMX = "http://www.isotc211.org/2005/gmx";
const SRV = "http://www.isotc211.org/2005/srv";
const XLINK = "http://www.w3.org/1999/xlink";

/** The edition of 2007 uses GML 3.2, that of 2006 the unnumbered namespace: both are read. */
export const GML: readonly string[] = ["http://www.opengis.net/gml/3.2", "http://www.opengis.net/gml"];

/** Where the elements that carry text live. */
export const TEXT_NAMESPACES: readonly string[] = [GCO, GMX];

export const path = pathsOver({ gmd: [GMD], gmi: [GMI], gco: [GCO], srv: [SRV], id: [GMD, SRV], gml: GML });

export const attributeNames = {
  nilReason: `{${GCO}}nilReason`,
  isoType: `{${GCO}}isoType`,
  href: `{${XLINK}}href`,
  codeListValue: "codeListValue",
} as const;

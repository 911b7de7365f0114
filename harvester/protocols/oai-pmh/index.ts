/** OAI-PMH 2.0. How it is asked and read: docs/oai-pmh.md. */
import type { Protocol } from "../protocol.js";
import { askFormats, askIdentify, askList, askRecord, askSets } from "./ask.js";
import { readIdentify } from "./identify.js";
import { readFormats, readSets } from "./inventory.js";
import { readList, readSingle } from "./read.js";

export const oaiPmh: Protocol = {
  id: "oai-pmh",
  identify: { ask: askIdentify, read: readIdentify },
  list: { ask: askList, read: readList },
  get: { ask: askRecord, read: readSingle },
  inventory: {
    formats: { ask: askFormats, read: readFormats },
    sets: { ask: askSets, read: readSets },
  },
};

/** A list in pages: bounded answers, one consistent state. */
import { ApiFault, type ListOptions, type ObjectList } from "../api.js";
import { apiVersionOf, type Resource } from "../resources.js";
import type { KubeObject } from "../object.js";
import { NotJson } from "./api-faults.js";

/** The page size of the usual clients. */
const PAGE = 500;
/** 500 objects a page: five million objects, beyond any API server. A server that always says "more" ends here. */
const MAX_PAGES = 10_000;

interface PageWish {
  /** 0 = everything in one answer. */
  readonly limit: number;
  readonly continue: string;
}

/** Asks for one page; its JSON. */
type AskPage = (wish: PageWish) => Promise<unknown>;

interface Page {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  readonly continue: string;
}

/**
 * All pages show the same moment. When the server has forgotten it in the middle (410), the list is read anew in one answer:
 * its token for going on would give a list of two moments, from which no watch can go on. Throws ApiFault.
 */
export async function readPages(
  resource: Resource,
  ask: AskPage,
  options: Pick<ListOptions, "limit"> = {},
): Promise<ObjectList> {
  try {
    return await inPages(resource, ask, options.limit ?? PAGE);
  } catch (error) {
    if (!(error instanceof PagesExpired)) throw error;
    const { items, resourceVersion } = readPage(resource, await ask({ limit: 0, continue: "" }));
    return { items, resourceVersion };
  }
}

class PagesExpired extends Error {
  override readonly name = "PagesExpired";
}

async function inPages(resource: Resource, ask: AskPage, wanted: number): Promise<ObjectList> {
  const items: KubeObject[] = [];
  let limit = wanted;
  let token = "";
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const answer = await askPage(ask, { limit, continue: token });
    if (answer === "too large") {
      limit = Math.max(1, Math.floor(limit / 4));
      continue;
    }
    const page = readPage(resource, answer.json);
    items.push(...page.items);
    if (page.continue === "") return { items, resourceVersion: page.resourceVersion };
    token = page.continue;
  }
  throw new NotJson();
}

/** A page of big objects is asked for again, smaller. */
async function askPage(ask: AskPage, wish: PageWish): Promise<{ readonly json: unknown } | "too large"> {
  try {
    return { json: await ask(wish) };
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    if (error.status === 410 && wish.continue !== "") throw new PagesExpired();
    if (error.reason === "TooLarge" && wish.limit > 1) return "too large";
    throw error;
  }
}

function readPage(resource: Resource, json: unknown): Page {
  const list = recordOf(json);
  const metadata = recordOf(list?.["metadata"]);
  const items = list?.["items"] ?? [];
  if (list === undefined || metadata === undefined || !Array.isArray(items)) throw new NotJson();
  return {
    items: items.map((item) => objectOf(resource, item)),
    resourceVersion: textOf(metadata["resourceVersion"]),
    continue: textOf(metadata["continue"]),
  };
}

/** In lists of the built-in kinds the objects do not say what they are. Throws NotJson for what is no object. */
export function objectOf(resource: Resource, json: unknown): KubeObject {
  const object = recordOf(json);
  const metadata = recordOf(object?.["metadata"]);
  if (object === undefined || typeof metadata?.["name"] !== "string") throw new NotJson();
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object } as unknown as KubeObject;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

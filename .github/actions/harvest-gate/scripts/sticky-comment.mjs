/** One comment a change, updated in place: ours is the one by our author that begins with the marker. */
import { ApiFailure } from "./ask-api.mjs";

export const marker = "<!-- harvestctl:diff -->";

const pageSize = 100;
/** 10,000 comments: what lies beyond is not looked at. */
const mostPages = 100;

/**
 * @param {{ list: (page: number, size: number) => Promise<{ id: number, body: string, ours: boolean }[]>,
 *   create: (body: string) => Promise<void>, update: (id: number, body: string) => Promise<void> }} place
 * @param {string} body begins with the marker
 * @returns {Promise<"created" | "updated" | "unchanged">}
 */
export async function keepOneComment(place, body) {
  const before = await findOurs(place);
  if (before !== undefined) return bring(place, before, body);
  try {
    await place.create(body);
    return "created";
  } catch (error) {
    // The server may have kept it and failed afterwards: a second one must not be made.
    if (!(error instanceof ApiFailure && error.unknown)) throw error;
    const made = await findOurs(place);
    if (made !== undefined) return bring(place, made, body).then(() => "created");
    await place.create(body);
    return "created";
  }
}

async function bring(place, comment, body) {
  if (comment.body === body) return "unchanged";
  await place.update(comment.id, body);
  return "updated";
}

async function findOurs(place) {
  for (let page = 1; page <= mostPages; page += 1) {
    const comments = await place.list(page, pageSize);
    const found = comments.find((comment) => comment.ours && comment.body.startsWith(marker));
    if (found !== undefined || comments.length < pageSize) return found;
  }
  return undefined;
}

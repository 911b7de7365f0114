import { expect, it } from "vitest";
import { didYouMean } from "./did-you-mean.js";

const words = ["overlapSeconds", "maxWindowDays", "mode", "iso19139", "oai_dc", "auto"];

it.each([
  ["overlapSecond", "overlapSeconds"],
  ["overlap_seconds", "overlapSeconds"],
  ["OVERLAPSECONDS", "overlapSeconds"],
  ["iso19193", "iso19139"],
  ["mdoe", "mode"],
  ["oaidc", "oai_dc"],
  ["auot", "auto"],
  ["modal", undefined],
  ["zzz", undefined],
  ["", undefined],
  ["x".repeat(100_000), undefined],
])("%s is meant as %s", (written, meant) => {
  expect(didYouMean(written, words)).toBe(meant);
});

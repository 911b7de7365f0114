import { expect, it } from "vitest";
import { oncePerVersion } from "./once-per-version.js";

it("makes an answer again only when something it was made from is another", () => {
  const once = oncePerVersion<number>(2);
  const spec = {};
  let made = 0;
  const ask = (uid: string | undefined, ...of: readonly unknown[]): number => once({ uid, of }, () => ++made);
  expect([ask("a", spec, 1), ask("a", spec, 1)]).toEqual([1, 1]);
  expect([ask("a", spec, 2), ask("a", spec, 2)]).toEqual([2, 2]);
  expect(ask("a", {}, 2)).toBe(3);
  expect([ask(undefined, spec), ask(undefined, spec)]).toEqual([4, 5]);
  ask("b", spec);
  ask("c", spec);
  expect(ask("a", spec)).toBe(8);
});

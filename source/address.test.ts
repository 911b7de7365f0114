import { expect, it } from "vitest";
import { isAddress, parseAddress } from "./address.js";

it.each([
  ["https://example.org/oai?a=b", "https://example.org/oai?a=b"],
  ["http://münchen.de/ä", "http://xn--mnchen-3ya.de/%C3%A4"],
  ["http://例え.jp/", "http://xn--r8jz45g.jp/"],
  ["/oai", undefined],
  ["http://", undefined],
])("parseAddress(%s)", (text, href) => {
  expect(parseAddress(text)?.href).toBe(href);
});

it("stays right when it is asked so often that the engine optimises it", () => {
  const wrong = Array.from({ length: 50_000 }, () => isAddress("http://münchen.de/ä")).filter(
    (right) => !right,
  );
  expect(wrong).toEqual([]);
});

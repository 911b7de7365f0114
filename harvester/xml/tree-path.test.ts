import { describe, expect, it } from "vitest";
import { all, child, descendants, first, pathsOver, placesOf } from "./tree-path.js";
import { readTree } from "./tree.js";

const path = pathsOver({ a: ["urn:a"], g: ["urn:g1", "urn:g2"] });
const tree = readTree(
  new TextEncoder().encode(
    '<x:r xmlns:x="urn:a" xmlns:y="urn:g1" xmlns:z="urn:g2">' +
      "<x:i><y:p>1</y:p></x:i><x:i><z:p>2</z:p><x:p>3</x:p></x:i><x:o></x:o></x:r>",
  ),
);

describe("paths", () => {
  const cases = [
    { name: "every branch", given: "a:i/g:p", expect: ["1", "2"] },
    { name: "any element", given: "*/*", expect: ["1", "2", "3"] },
    { name: "one namespace", given: "a:i/a:p", expect: ["3"] },
    { name: "nothing there", given: "a:o/a:p", expect: [] },
  ];
  it.each(cases)("find $name", (row) => {
    expect(all(tree, path(row.given)).map((element) => element.text)).toEqual(row.expect);
    expect(first(tree, path(row.given))?.text).toBe(row.expect[0]);
  });

  it("refuse a prefix nobody explained", () => {
    expect(() => path("q:x")).toThrow(/'q:x' has no known prefix/);
    expect(() => path("x")).toThrow(/'x' has no known prefix/);
  });
});

it("child asks for one of several namespaces", () => {
  expect(child(tree.children[1]!, ["urn:g1", "urn:g2"], "p")?.text).toBe("2");
  expect(child(tree, ["urn:g1"], "i")).toBeUndefined();
});

it("descendants come in document order", () => {
  expect([...descendants(tree)].map((element) => element.tag)).toEqual([
    "x:r",
    "x:i",
    "y:p",
    "x:i",
    "z:p",
    "x:p",
    "x:o",
  ]);
});

it("placesOf names places as the source writes them, with a number where there are several", () => {
  const [one, two, other] = tree.children;
  const wanted = new Set([tree, one!.children[0]!, two!.children[1]!, other!]);
  expect([...placesOf(tree, wanted).values()].sort()).toEqual([
    "/x:r",
    "/x:r/x:i[1]/y:p",
    "/x:r/x:i[2]/x:p",
    "/x:r/x:o",
  ]);
});

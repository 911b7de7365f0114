import { expect, it } from "vitest";
import { seriesText } from "./series-text.js";

const definition = { name: "x_seconds", type: "gauge", help: "How \\ long.", labels: ["a", "b"] } as const;

it.each([
  {
    name: "no series: the metric is there all the same",
    given: [],
    expect: "# HELP x_seconds How \\\\ long.\n# TYPE x_seconds gauge\n",
  },
  {
    name: "values and labels of every kind",
    given: [
      { labels: ["geo", "harbor"], value: 1.5 },
      { labels: ['q"', "b\\\nc"], value: 0 },
      { labels: ["only one"], value: 1e21 },
    ],
    expect:
      "# HELP x_seconds How \\\\ long.\n# TYPE x_seconds gauge\n" +
      'x_seconds{a="geo",b="harbor"} 1.5\n' +
      'x_seconds{a="q\\"",b="b\\\\\\nc"} 0\n' +
      'x_seconds{a="only one",b=""} 1e+21\n',
  },
])("$name", ({ given, expect: text }) => {
  expect(seriesText(definition, given)).toBe(text);
});

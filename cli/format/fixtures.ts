import type { FixtureResult } from "../fixtures/judge-fixtures.js";
import type { Theme } from "./colour.js";
import { oneLine, plural } from "./words.js";

/** What is not as declared, then one line that counts. */
export function fixturesText(results: readonly FixtureResult[], strict: boolean, theme: Theme): string {
  const lines = results
    .filter(({ outcome }) => outcome !== "as-declared")
    .map(({ path, outcome, sentences }) => {
      const mild = outcome === "undeclared" && !strict;
      const word = (mild ? theme.warn : theme.bad)(outcome);
      return [
        `${theme.strong(path)}  ${word}`,
        ...sentences.map((sentence) => `  ${oneLine(sentence, 500)}`),
      ].join("\n");
    });
  return [...lines, countLine(results, theme)].join("\n");
}

function countLine(results: readonly FixtureResult[], theme: Theme): string {
  const good = results.filter(({ outcome }) => outcome === "as-declared");
  const passing = good.filter(({ judged }) => judged?.verdict === "pass").length;
  const wrong = (["unexpected", "undeclared", "missing"] as const).flatMap((outcome) => {
    const number = results.filter((result) => result.outcome === outcome).length;
    return number === 0 ? [] : [`${number.toString()} ${outcome}`];
  });
  const head = `${plural(results.length, "fixture")}: ${good.length.toString()} as declared (${passing.toString()} pass, ${(good.length - passing).toString()} refused)`;
  return wrong.length === 0 ? theme.good(`${head}.`) : `${head}, ${theme.bad(wrong.join(", "))}.`;
}

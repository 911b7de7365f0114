import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contradicted, exitCodes, neverStarted, reasons, unknownExit, vanished } from "../runs/known-ends.js";
import { conditionReasons, eventReasons, summaryWords } from "./vocabulary.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/status.md"), "utf8");

/** The text below a heading, up to the next of the same depth. */
function section(heading: string): string {
  const [depth = ""] = heading.split(" ");
  const [, rest = ""] = page.split(`\n${heading}\n`);
  return rest.split(`\n${depth} `)[0] ?? "";
}

describe("docs/status.md", () => {
  it.each(Object.entries(conditionReasons))("has every reason of %s, in its section", (type, list) => {
    const text = section(`### ${type}`);
    const elsewhere = type === "Ready" ? ["NotAccepted"] : [];
    const missing = list.filter((reason) => !elsewhere.includes(reason) && !text.includes(`\`${reason}\``));
    expect(missing).toEqual([]);
  });

  it("has every word of the Status column, in the order of precedence", () => {
    const words = [...section("## The Status column").matchAll(/^\| `([A-Za-z]+)(?:\(3\))?` \|/gm)].map(
      ([, w]) => w,
    );
    expect(words).toEqual(summaryWords);
  });

  it("has every event", () => {
    const text = section("## Events");
    expect(eventReasons.filter((reason) => !text.includes(`\`${reason}\``))).toEqual([]);
  });

  it("has every code a run is given that said nothing itself", () => {
    const ends = [...exitCodes.values(), ...reasons.values()];
    const odd = [vanished, neverStarted(""), contradicted(1), unknownExit(1), unknownExit(137)];
    const codes = [...ends, ...odd].flatMap(({ code }) => code ?? []);
    expect(codes.filter((code) => !section("### LastRunSucceeded").includes(`\`${code}\``))).toEqual([]);
  });
});

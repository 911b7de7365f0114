import { describe, expect, it } from "vitest";
import { harvestctl } from "./program.js";

describe("a command that does not exist", () => {
  it.each([
    [["lnt"], "There is no command harvestctl lnt.", "Did you mean harvestctl lint?"],
    [
      ["quarantine", "lst"],
      "There is no command harvestctl quarantine lst.",
      "Did you mean harvestctl quarantine list?",
    ],
    [
      ["Lint", "manifests"],
      "There is no command harvestctl Lint manifests.",
      "Did you mean harvestctl lint?",
    ],
    [["frobnicate"], "There is no command harvestctl frobnicate.", "harvestctl --help lists all there are."],
  ])("%s", async (argv, sentence, remedy) => {
    const { code, stdout, stderr } = await harvestctl(argv, { cwd: "." });
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: `error  ${sentence}\n       ${remedy}\n`,
    });
  });

  it("is told to machines as every other error", async () => {
    const { code, stdout } = await harvestctl(["dry_run", "--json"], { cwd: "." });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "UnknownCommand",
        sentence: "There is no command harvestctl dry_run.",
        remedy: "Did you mean harvestctl dry-run?",
      },
    });
  });
});

import { describe, expect, it } from "vitest";
import { commentBody, marker } from "./gate-scripts.js";

const runUrl = "https://github.com/geo/policy/actions/runs/7";

describe("the text of a comment", () => {
  it("begins with the marker, which stands nowhere else", () => {
    expect(commentBody(`1 source changes.\n\n${marker}\n`, { runUrl })).toBe(
      `${marker}\n1 source changes.\n`,
    );
    expect(commentBody(`${marker}\na ${marker} b`, { runUrl })).toBe(`${marker}\na  b\n`);
  });

  it("is refused where the marker is missing", () => {
    expect(() => commentBody("You are approved.", { runUrl })).toThrow("lacks its marker");
  });

  it("says first when it comes from a fork, and disarms what a stranger could use", () => {
    const report = `${marker}\n@geo/owners see #12 ![x](http://evil.example/p.png) <img src=x> <a href="x">y</a> <!-- hidden`;
    expect(commentBody(report, { runUrl, fork: "stranger/policy" })).toBe(
      `${marker}\n> [!WARNING]\n> This report was made by a run of the code of the fork \`stranger/policy\`, and that code can write here what it likes. Read the changes themselves before you rely on it. [Run](${runUrl})\n\n` +
        '@\u200bgeo/owners see #\u200b12 !\u200b[x](http://evil.example/p.png) &lt;img src=x> &lt;a href="x">y</a> &lt;!-- hidden\n',
    );
  });

  it("finds the signs that name people and issues however they are written", () => {
    const report = `${marker}\n&#64;geo &commat;geo &#x0040;geo &#35;1 &NUM;1 GH-1 &#60;b&#8203;`;
    expect(commentBody(report, { runUrl, fork: "a/b" })).toContain(
      "\n@\u200bgeo @\u200bgeo @\u200bgeo #\u200b1 #\u200b1 GH-\u200b1 &#60;b&#8203;\n",
    );
  });

  it("keeps what folds and tables of a fork's report", () => {
    const kept = "| a | b |\n|---|---|\n<details><summary>x</summary>\n\n</details>";
    expect(commentBody(`${marker}\n${kept}`, { runUrl, fork: "a/b" })).toContain(kept);
  });

  it("drops control characters and marks that turn the text", () => {
    expect(commentBody(`${marker}\na\u0000\u001b[31mb\u202ec\u2066d\te\r\n`, { runUrl })).toBe(
      `${marker}\na[31mbcd\te\n`,
    );
  });

  it("points to the run when it is too long", () => {
    expect(commentBody(`${marker}${"x".repeat(70_000)}`, { runUrl })).toBe(
      `${marker}\nThe report is too long for a comment. It stands whole in the [summary of the run](${runUrl}).\n`,
    );
  });
});

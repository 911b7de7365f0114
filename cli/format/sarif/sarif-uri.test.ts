import { describe, expect, it } from "vitest";
import { sarifUri } from "./sarif-uri.js";

describe("a path as URI", () => {
  it.each([
    { path: "./a/b.yaml", uri: "a/b.yaml" },
    { path: "a\\b c.yaml", uri: "a/b%20c.yaml" },
    { path: "mailto:x.yaml", uri: "mailto%3Ax.yaml" },
    { path: "100%#?.yaml", uri: "100%25%23%3F.yaml" },
    { path: "../up.yaml", uri: "../up.yaml" },
    { path: "/tmp/ä.yaml", uri: "file:///tmp/%C3%A4.yaml" },
    { path: "\ud800.yaml", uri: "%EF%BF%BD.yaml" },
  ])("$path → $uri", ({ path, uri }) => {
    expect(sarifUri(path)).toBe(uri);
  });
});

import { describe, expect, it } from "vitest";
import { fit, type Section } from "./fit.js";

function section(items: readonly string[], more: Partial<Section> = {}): Section {
  return {
    head: "HEAD\n",
    items: items.map((item) => () => item),
    joint: "\n",
    left: (n) => `${String(n)} left`,
    share: 1,
    ...more,
  };
}

describe("fitting a report into its bound", () => {
  it("leaves out empty sections and keeps what fits", () => {
    expect(fit([section([]), section(["a", "b"])], 1000)).toEqual(["HEAD\na\nb"]);
  });

  it("drops items from the end, and says how many", () => {
    const long = "x".repeat(100);
    expect(fit([section([long, long, "c", "d"])], 400)).toEqual([`HEAD\n${long}\n\n3 left`]);
  });

  it("gives what one section does not need to the next", () => {
    const long = "x".repeat(300);
    const parts = fit([section(["a"], { share: 0.5 }), section([long])], 1000);
    expect(parts).toEqual(["HEAD\na", `HEAD\n${long}`]);
  });

  it("lets a section take no more than its share", () => {
    const long = "x".repeat(300);
    const parts = fit([section([long, long, long], { share: 0.6 }), section(["b"])], 1000);
    expect(parts).toEqual([`HEAD\n${long}\n\n2 left`, "HEAD\nb"]);
  });

  it("asks an item for a shorter text, and stops at one that has none", () => {
    const items = [(room: number) => (room > 500 ? "long" : "short"), () => undefined, () => "never"];
    expect(fit([section([], { items })], 600)).toEqual(["HEAD\nshort\n\n2 left"]);
  });
});

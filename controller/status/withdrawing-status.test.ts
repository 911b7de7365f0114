import { describe, expect, it } from "vitest";
import { liveSource } from "../render/inputs-for-tests.js";
import { withdrawingStatus } from "./withdrawing-status.js";

const now = new Date("2026-11-30T12:10:00Z");
const earlier = "2026-11-30T12:00:00Z";

function condition(type: string, status: "True" | "False") {
  const what = { type, status, reason: "Was", message: "Was." };
  return { ...what, lastTransitionTime: earlier, observedGeneration: 1 };
}

describe("the status of a source whose records are being withdrawn", () => {
  it.each([
    ["that was Ready", "True", "2026-11-30T12:10:00Z"],
    ["that was not", "False", earlier],
  ] as const)("%s", (_name, was, lastTransitionTime) => {
    const source = {
      ...liveSource(),
      status: {
        summary: "Fresh",
        records: 31,
        nextRunTime: "2026-11-30T18:00:00Z",
        conditions: [condition("Ready", was), condition("LastRunSucceeded", "True")],
      },
    };
    expect(withdrawingStatus(source, "Being removed.", now)).toMatchObject({
      summary: "Withdrawing",
      records: 31,
      conditions: [
        {
          type: "Ready",
          status: "False",
          reason: "BeingRemoved",
          message: "Being removed.",
          lastTransitionTime,
        },
        { type: "LastRunSucceeded", status: "True", lastTransitionTime: earlier },
      ],
    });
    expect(withdrawingStatus(source, "Being removed.", now).nextRunTime).toBeUndefined();
  });
});

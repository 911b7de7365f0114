import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemClock } from "./clock.js";

it("does not take a wait longer than Node's timers for none", async () => {
  let rung = false;
  const cancel = systemClock.after(2 ** 40, () => {
    rung = true;
  });
  await wait(20);
  expect(rung).toBe(false);
  cancel();
});

it("never rings before the time has passed", async () => {
  const begun = systemClock.elapsed();
  await new Promise<void>((resolve) => {
    systemClock.after(15, resolve);
  });
  expect(systemClock.elapsed() - begun).toBeGreaterThanOrEqual(15);
});

/** The laws of a run, each held by a whole harvest from a repository that misbehaves. */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeGates, openScene, START, type Scene, type SceneWish } from "./scene.js";

let scene: Scene | undefined;

async function open(wish?: SceneWish): Promise<Scene> {
  scene = await openScene(wish);
  return scene;
}

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});
afterAll(closeGates);

describe("law 1: records before watermark", () => {
  it("a first run stores everything and moves the watermark to the server's time", async () => {
    const { run, peek } = await open();
    const ran = await run();
    expect(ran).toMatchObject({
      outcome: "complete",
      exitCode: 0,
      counts: { read: 30, inserted: 30, quarantined: 0 },
    });
    const { cursor, alive } = await peek();
    expect({ cursor, alive }).toEqual({ cursor: { watermark: START }, alive: 30 });
  });
});

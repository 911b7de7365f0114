import { afterAll, afterEach, expect, it } from "vitest";
import type { ServerFault } from "../../cli/sandbox/sandbox.js";
import { closeGates, openScene, type Ran, type Scene, type SceneWish } from "./scene.js";

/** Opens scenes for the tests of one file and closes each behind its test; call it once, at the top. */
export function stage(): (wish?: SceneWish) => Promise<Scene> {
  const opened: Scene[] = [];
  afterEach(async () => {
    for (const scene of opened.splice(0)) await scene.close();
  });
  afterAll(closeGates);
  return async (wish) => {
    const scene = await openScene(wish);
    opened.push(scene);
    return scene;
  };
}

export interface Row extends SceneWish {
  readonly name: string;
  /** Armed for the first run. */
  readonly arm: ServerFault | readonly ServerFault[];
  readonly expect: Partial<Ran>;
  /** Warnings the run must give. */
  readonly warns?: readonly string[];
  /** Absent: no watermark. */
  readonly watermark?: string;
  /** Records alive in the store afterwards. */
  readonly alive: number;
}

/** One first run a row, against a repository that makes this mistake. */
export function table(open: (wish?: SceneWish) => Promise<Scene>, rows: readonly Row[]): void {
  it.each(rows)("$name", async (row) => {
    const scene = await open(row);
    for (const fault of [row.arm].flat()) scene.control.arm(fault);
    const ran = await scene.run();
    const { cursor, alive } = await scene.peek();
    expect({ ...ran, watermark: cursor.watermark, alive }).toMatchObject(row.expect);
    expect({ watermark: cursor.watermark, alive, message: ran.message }).toEqual({
      watermark: row.watermark,
      alive: row.alive,
      message: ran.message,
    });
    expect(ran.warned).toEqual(expect.arrayContaining([...(row.warns ?? [])]));
  });
}

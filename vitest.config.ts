import { defineConfig } from "vitest/config";
import type { ProjectConfig } from "vitest/node";

const common: ProjectConfig = {
  pool: "forks",
  // Worker threads of the code under test are TypeScript files too: they inherit the loader from here.
  execArgv: ["--import", "tsx"],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

/** Kills the XML engine of its process on purpose. */
const poisonous = "harvester/xml/engine.test.ts";

export default defineConfig({
  test: {
    globalSetup: ["tests/setup/global.ts"],
    // Much of a test is waiting for servers and children: the default leaves a core unused.
    maxWorkers: "100%",
    reporters: ["default", "./tests/setup/closing-line.ts"],
    projects: [
      {
        test: {
          ...common,
          name: "beside",
          include: ["source", "harvester", "controller", "cli"].map((room) => `${room}/**/*.test.ts`),
          exclude: [poisonous],
          // Small files that share most of what they import: loading it anew for each took two thirds of their time.
          isolate: false,
        },
      },
      { test: { ...common, name: "whole", include: ["tests/**/*.test.ts", poisonous] } },
    ],
  },
});

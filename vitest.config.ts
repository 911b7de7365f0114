import { defineConfig } from "vitest/config";

// Worker threads of the code under test are TypeScript files too: they inherit the loader from here.
const execArgv = ["--import", "tsx"];

export default defineConfig({
  test: {
    include: ["source", "harvester", "controller", "cli", "tests"].map((room) => `${room}/**/*.test.ts`),
    globalSetup: ["tests/setup/global.ts"],
    pool: "forks",
    // Much of a test is waiting for servers and children: the default leaves a core unused.
    maxWorkers: "100%",
    execArgv,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", "./tests/setup/closing-line.ts"],
  },
});

import { defineConfig } from "vitest/config";

/** Beside-the-code tests alone: no servers are started. */
export default defineConfig({
  test: {
    include: ["source", "harvester", "controller", "cli", "tests"].map((room) => `${room}/**/*.test.ts`),
    pool: "forks",
    execArgv: ["--import", "tsx"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

import type { Reporter, TestModule } from "vitest/node";

/** Prints one closing line, "N passed, N failed", which a reader can find in any log. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      if (module.state() === "failed" && module.errors().length > 0) count.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") count[state] += 1;
      }
    }
    const skipped = count.skipped > 0 ? `, ${String(count.skipped)} skipped` : "";
    process.stdout.write(`\n${String(count.passed)} passed, ${String(count.failed)} failed${skipped}\n`);
  }
}

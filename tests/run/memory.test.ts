/** Memory does not grow with the number of records: the peak of a run over 20,000 against one over 4,000. */
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../cli/sandbox/sandbox.js";
import { noPostgres, premises } from "./premises.js";

const tellPeak = `process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS + "\\n"));`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tellPeak)}`;

describe.skipIf(noPostgres)("a run", () => {
  const here = premises();

  async function peakOf(count: number): Promise<number> {
    const sandbox = await startSandbox({ source: { kind: "generated", count }, pageSize: 100 });
    try {
      const path = here.place.manifest(sandbox.url, {}, `records-${String(count)}`);
      const { code, stdout, stderr } = await here.run(["run", "--source", path, "--threads", "1"], {
        NODE_OPTIONS,
      });
      expect({ code, new: /new +([\d,]+)/.exec(stdout)?.[1] }).toEqual({
        code: 0,
        new: count.toLocaleString("en-US"),
      });
      return Math.max(...[...stderr.matchAll(/peak (\d+)/g)].map(([, kilobytes]) => Number(kilobytes)));
    } finally {
      await sandbox.close();
    }
  }

  it("needs less than 1.3 times the memory for five times the records", { timeout: 240_000 }, async () => {
    // Not fewer: until then the heap is still finding its size, whatever is read.
    const few = await peakOf(4_000);
    const many = await peakOf(20_000);
    expect(many / few).toBeLessThan(1.3);
  });
});

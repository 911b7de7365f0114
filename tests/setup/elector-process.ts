/**
 * One elector as a process of its own, to be killed and frozen: `elector-process.ts KUBECONFIG NAMESPACE NAME`. Says on
 * standard output, one JSON object a line, what it does and when: leads, works (many times a second while it may), lost, ended.
 */
import { createApi } from "../../controller/cluster/client.js";
import { loadConnection } from "../../controller/cluster/connection.js";
import { systemClock } from "../../controller/clock.js";
import { runElection } from "../../controller/election/run-election.js";

/** Short, so that a test is; in the same proportions as the defaults. */
export const quickSettings = { leaseName: "elected", leaseSeconds: 3, renewSeconds: 2, retrySeconds: 0.4 };

/** How often a leader works, ms. */
const BEAT_MS = 10;

function say(what: string): void {
  process.stdout.write(`${JSON.stringify({ what, at: Date.now() })}\n`);
}

async function main([kubeconfig = "", namespace = "", name = ""]: readonly string[]): Promise<void> {
  const connection = loadConnection({ kubeconfig, environment: {} });
  const stop = new AbortController();
  process.once("SIGTERM", () => {
    stop.abort();
  });
  const election = runElection(
    {
      api: createApi(connection, { retry: { maxAttempts: 1 } }),
      settings: quickSettings,
      namespace,
      identity: name,
      clock: systemClock,
      random: Math.random,
      onLeading: (signal) => {
        say("leads");
        return work(signal);
      },
      onLost: () => {
        say("lost");
        process.exit(1);
      },
    },
    stop.signal,
  );
  function work(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const beat = setInterval(() => {
        // As every write of the controller should: by the time that has passed, not by what was told.
        if (election.status().leading) say("works");
        if (!signal.aborted) return;
        clearInterval(beat);
        resolve();
      }, BEAT_MS);
    });
  }
  say("begins");
  await election.ended;
  say("ended");
  await connection.close();
}

if (process.argv[1]?.endsWith("elector-process.ts") === true) await main(process.argv.slice(2));

import { shareControlPlane } from "./cluster.js";
import { sharePostgres } from "./postgres.js";

/** Starts what whole-program tests share, once for all test files; what it returns stops it. */
export default async function setup(): Promise<() => Promise<void>> {
  process.env["TZ"] ??= "UTC";
  const started = await Promise.allSettled([sharePostgres(), shareControlPlane()]);
  const stop = async (): Promise<void> => {
    for (const one of started) if (one.status === "fulfilled") await one.value();
  };
  const failed = started.find((one) => one.status === "rejected");
  if (failed === undefined) return stop;
  await stop();
  throw failed.reason;
}

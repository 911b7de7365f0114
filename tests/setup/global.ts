import { sharePostgres } from "./postgres.js";

/** Starts what whole-program tests share, once for all test files; what it returns stops it. */
export default async function setup(): Promise<() => Promise<void>> {
  process.env["TZ"] ??= "UTC";
  return sharePostgres();
}

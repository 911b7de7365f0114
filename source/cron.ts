/** Schedules: read as the API server of Kubernetes reads them, told in words, and worked out in their time zone. */
export type { Cron, CronProblem } from "./cron/cron.js";
export { describeCron } from "./cron/describe-cron.js";
export { nextRuns } from "./cron/next-runs.js";
export { parseCron } from "./cron/parse-cron.js";
export { runsPerDay } from "./cron/runs-per-day.js";
export { shiftSchedule, shiftsOf } from "./cron/shift-schedule.js";
export { isTimeZone } from "./cron/time-zone.js";

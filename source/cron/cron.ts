/** One field of a schedule. */
export interface CronField {
  readonly values: ReadonlySet<number>;
  /**
   * True for * and ? (and * with a step of 1): such a day field does not restrict the other one, while two restricted
   * day fields are joined by "or" (crontab(5); so does the API server).
   */
  readonly any: boolean;
}

export interface CronFields {
  readonly kind: "fields";
  readonly minute: CronField;
  readonly hour: CronField;
  readonly day: CronField;
  readonly month: CronField;
  /** 0 = Sunday … 6 = Saturday. */
  readonly weekday: CronField;
}

/** A schedule that was understood. */
export type Cron = CronFields | { readonly kind: "every"; readonly seconds: number };

/** What is wrong with a schedule, and where in its text. */
export interface CronProblem {
  readonly kind: "problem";
  readonly sentence: string;
  readonly remedy: string;
  readonly offset: number;
  readonly length: number;
}

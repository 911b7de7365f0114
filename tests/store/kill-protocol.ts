/** What the kill tests and the program they kill say to each other. */
export const commitPoints = [
  "before-lease",
  "before-records",
  "before-heal",
  "before-quarantine",
  "before-cursor",
  "before-commit",
  "committed",
] as const;

export type CommitPoint = (typeof commitPoints)[number];

export interface WriterTask {
  readonly engine: "embedded" | "postgres";
  /** Directory or URL. */
  readonly target: string;
  readonly source: string;
  readonly killAt?: CommitPoint;
  /** Look, say what is there, and end. */
  readonly verifyOnly?: boolean;
}

/** What a writer finds when it starts. */
export interface Left {
  /** Number of the batch the watermark stands at. */
  readonly watermark: number;
  /** Absent: exactly the batches up to the watermark are there. */
  readonly problem?: string;
}

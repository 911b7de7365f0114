/** What is said to a person: what is wrong, and what to do about it. */
export interface Saying {
  readonly sentence: string;
  readonly remedy?: string;
}

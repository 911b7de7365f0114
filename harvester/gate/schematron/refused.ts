/** A rule set that cannot be run is refused when it is loaded, with its place: never on the ten-thousandth record. */
export class RuleSetRefused extends Error {
  readonly file: string;
  /** 0 = the whole file. */
  readonly line: number;

  /** `why`: one sentence that says what to change. */
  constructor(place: { readonly file: string; readonly line: number }, why: string) {
    super(`${place.file}:${String(place.line)}: ${why}`);
    this.name = "RuleSetRefused";
    this.file = place.file;
    this.line = place.line;
  }
}

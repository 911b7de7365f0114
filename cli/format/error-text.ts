import type { Theme } from "./colour.js";

/** An error for people: what is wrong, then what to do next, indented under it. */
export function errorText(error: { sentence: string; remedy?: string }, theme: Theme): string {
  const head = `${theme.bad("error")}  ${error.sentence}`;
  return error.remedy === undefined ? head : `${head}\n       ${error.remedy}`;
}

/** Colours for a terminal: a theme is either real or does nothing, decided once by the command. */
export interface Theme {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly strong: (text: string) => string;
}

function plain(text: string): string {
  return text;
}

export const noColour: Theme = { good: plain, bad: plain, warn: plain, dim: plain, strong: plain };

export const colour: Theme = {
  good: paint(32),
  bad: paint(31),
  warn: paint(33),
  dim: paint(2),
  strong: paint(1),
};

function paint(code: number): (text: string) => string {
  return (text) => `\u001b[${code.toString()}m${text}\u001b[0m`;
}

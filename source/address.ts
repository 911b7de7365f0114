/**
 * The address, seen from `base` where that is given, or undefined when the text is none. Not URL.canParse: in Node 20 its optimised form reads Latin-1 text as if
 * it were UTF-8, so that after some thousand calls http://münchen.de is no address any more.
 */
export function parseAddress(text: string | URL, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

/** One line of a terminal that is drawn again and again until it is wiped. */
export interface LiveLine {
  end(): void;
}

const REDRAW_MS = 120;

/** `text` is asked for the line each time, given the columns there are. Nothing is drawn where the stream is no terminal. */
export function startLiveLine(
  text: (columns: number) => string,
  stream: NodeJS.WriteStream = process.stderr,
): LiveLine {
  if (!stream.isTTY || process.env["TERM"] === "dumb") return { end: () => undefined };
  const timer = setInterval(() => {
    const line = Array.from(text(stream.columns))
      .slice(0, stream.columns - 1)
      .join("");
    stream.write(`\r\u001b[K${line}`);
  }, REDRAW_MS);
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      stream.write("\r\u001b[K");
    },
  };
}

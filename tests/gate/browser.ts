/** A real browser for what people look at: Debian's chromium, or Chrome. */
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const howToGet = "install chromium (Debian: apt-get install chromium), or name one with HARVEST_TEST_BROWSER";

/** Undefined, with one line said, when there is none; throws then if REQUIRE names `browser`. */
export function findBrowser(): string | undefined {
  const given = process.env["HARVEST_TEST_BROWSER"];
  const found = [...(given === undefined ? [] : [given]), ...places].find((place) => existsSync(place));
  if (found !== undefined) return found;
  const sentence = `The comment needs a browser to be looked at: ${howToGet}.`;
  if ((process.env["REQUIRE"] ?? "").split(",").includes("browser")) throw new Error(sentence);
  process.stderr.write(`Skipped: ${sentence}\n`);
  return undefined;
}

/** Runs as root in containers, where chromium's own sandbox cannot be had; the page is ours and asks nothing of the net. */
export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
}

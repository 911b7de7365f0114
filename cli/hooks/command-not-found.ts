import type { Hook } from "@oclif/core";
import { didYouMean } from "../../source/did-you-mean.js";
import { exitCode } from "../exit-codes.js";
import { colour, noColour } from "../format/colour.js";
import { errorText } from "../format/error-text.js";
import { oneLine } from "../format/words.js";

/** Says which command was perhaps meant, in the words of every other error; nothing is run in its place. */
const commandNotFound: Hook.CommandNotFound = function ({ id, config, argv }) {
  const written = oneLine(id.replaceAll(":", " "), 80);
  const names = [...config.commandIDs, ...config.topics.map(({ name }) => name)];
  // What follows may be an argument: oclif reads words up to the first flag as parts of the name.
  const meant = (didYouMean(id, names) ?? didYouMean(id.split(":")[0] ?? "", names))?.replaceAll(":", " ");
  const error = {
    code: "UnknownCommand",
    sentence: `There is no command ${config.bin} ${written}.`,
    remedy:
      meant === undefined
        ? `${config.bin} --help lists all there are.`
        : `Did you mean ${config.bin} ${meant}?`,
  };
  if (argv?.includes("--json") === true) process.stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
  else process.stderr.write(`${errorText(error, process.stderr.isTTY ? colour : noColour)}\n`);
  process.exitCode = exitCode.failed;
  return Promise.resolve();
};

export default commandNotFound;

import { randomBytes } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Fault } from "../../harvester/fault.js";

/**
 * Writes a file so that a reader sees the old text or the new one, never half of it; the rights stay. `file` is where it
 * really lies: a link must have been followed before. Throws Fault `config`.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}.new`);
  const mode = await stat(file).then(
    ({ mode: bits }) => bits & 0o777,
    () => 0o644,
  );
  try {
    const handle = await open(beside, "wx", mode);
    try {
      await handle.writeFile(text, "utf8");
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw new Fault("config", {
      code: "NotWritten",
      sentence: `${file} could not be written: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`,
      remedy: "Check the rights on the file and its folder, and the room on the disk.",
      cause: error,
    });
  }
}

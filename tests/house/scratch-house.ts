import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const repositoryRoot = join(import.meta.dirname, "../..");

/** A small house beside ours with the same lint configuration, in which a test may break the rules. */
export interface ScratchHouse {
  readonly path: string;
  write(file: string, text: string): void;
  remove(): void;
}

export function scratchHouse(): ScratchHouse {
  // Inside the checkout, so that the plug-ins resolve from its node_modules.
  const path = mkdtempSync(join(repositoryRoot, ".scratch-"));
  for (const file of ["eslint.config.js", "lint", "tsconfig.json", ".dependency-cruiser.cjs", "package.json"])
    cpSync(join(repositoryRoot, file), join(path, file), { recursive: true });
  return {
    path,
    write(file, text) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
    remove() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * Names of files as the repository knows them: from the folder that holds .git, with `/`. Outside a repository from the
 * current directory; a file outside of both keeps its absolute path.
 */
export function repositoryPaths(cwd: string): (file: string) => string {
  const top = repositoryTop(cwd) ?? cwd;
  return (file) => {
    const absolute = resolve(cwd, file);
    const below = relative(top, absolute);
    const outside = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
    return (outside ? absolute : below).split(sep).join("/");
  };
}

/** The nearest folder at or above this one that holds .git (a folder, or a file in a worktree). */
export function repositoryTop(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

export type GitFaultCode =
  | "git-missing"
  | "unreachable"
  | "denied"
  | "reference-missing"
  | "too-big"
  | "timeout"
  | "stopped"
  | "unverified"
  | "credentials"
  | "failed";

/** Git could not give a revision; nothing in the cluster was touched. The message holds no credentials. */
export class GitFault extends Error {
  override readonly name = "GitFault";
  readonly code: GitFaultCode;

  constructor(code: GitFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** By what git says with LC_ALL=C; the first that matches. */
const SAYINGS: readonly { readonly says: RegExp; readonly code: GitFaultCode; readonly sentence: string }[] =
  [
    {
      says: /couldn't find remote ref|not our ref|unadvertised object|no such remote ref/i,
      code: "reference-missing",
      sentence: "The repository has no such branch, tag or commit, or does not give it out.",
    },
    {
      says: /authentication failed|permission denied|could not read (username|password)|host key verification failed|error: 40[13]|terminal prompts disabled/i,
      code: "denied",
      sentence:
        "The repository let nobody in: check the credentials, and for ssh the known_hosts file, in the secret.",
    },
    {
      says: /transport '[^']*' not allowed|unsupported protocol/i,
      code: "denied",
      sentence: "The protocol is not allowed.",
    },
    {
      says: /could not resolve|connection (refused|timed out|reset)|unable to access|unable to connect|no route to host|network is unreachable|does not appear to be a git repository|repository '[^']*' (not found|does not exist)|early eof|hung up/i,
      code: "unreachable",
      sentence:
        "The repository could not be reached; what is in the cluster stays, and the next pass tries again.",
    },
  ];

/** Bounds what a foreign server may write into our messages. */
const MAX_DETAIL = 300;

/** What git wrote to stderr → the fault; `secrets` are blotted out wherever they stand. */
export function gitFault(what: string, stderr: string, secrets: readonly string[]): GitFault {
  const detail = plain(stderr, secrets);
  const known = SAYINGS.find(({ says }) => says.test(stderr));
  const said = detail === "" ? "" : ` Git says: ${detail}`;
  return new GitFault(known?.code ?? "failed", `${what}. ${known?.sentence ?? "Git failed."}${said}`);
}

function plain(stderr: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "***"), stderr)
    .replaceAll(/:\/\/[^/\s@]*@/g, "://***@");
  const line = hidden.replaceAll(/\p{Cc}+/gu, " ").trim();
  return line.length <= MAX_DETAIL ? line : `${line.slice(0, MAX_DETAIL)}…`;
}

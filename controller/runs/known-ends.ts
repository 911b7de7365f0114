import type { Outcome } from "../run.js";

/** An end that was not told by the run itself. */
export interface KnownEnd {
  readonly outcome: Outcome;
  readonly code?: string;
  readonly message: string;
  readonly remedy?: string;
}

export const noReport: KnownEnd = {
  outcome: "complete",
  message: "The run ended complete, and left no report.",
};

/** What an exit code says alone (docs/exit-codes.md). */
export const exitCodes: ReadonlyMap<number, KnownEnd> = new Map<number, KnownEnd>([
  [0, noReport],
  [
    65,
    {
      outcome: "failed",
      code: "ProtocolFault",
      message: "The source broke the protocol, or a guard refused.",
      remedy: "Read the log of the run.",
    },
  ],
  [
    69,
    {
      outcome: "failed",
      code: "Unavailable",
      message: "The endpoint was not available.",
      remedy: "The next run tries again.",
    },
  ],
  [
    70,
    {
      outcome: "failed",
      code: "HarvesterFault",
      message: "The harvester itself failed.",
      remedy: "This is a fault of the harvester: please report it with the log of the run.",
    },
  ],
  [
    74,
    {
      outcome: "failed",
      code: "StoreFailed",
      message: "The database was down, full or lost in the middle.",
      remedy: "Look after the database; the next run goes on where this one stopped.",
    },
  ],
  [
    75,
    {
      outcome: "partial",
      code: "PassingFault",
      message: "A passing fault ended the run; what was committed stays.",
      remedy: "The next run goes on.",
    },
  ],
  [
    77,
    {
      outcome: "failed",
      code: "AccessDenied",
      message: "The source denied access.",
      remedy: "Somebody must act: check the client certificate or ask the agency.",
    },
  ],
  [
    78,
    {
      outcome: "failed",
      code: "BadConfiguration",
      message: "The configuration cannot be used.",
      remedy: "Lint the manifest with harvestctl lint, and check the Secrets it names.",
    },
  ],
]);

const killed: Omit<KnownEnd, "message"> = {
  outcome: "interrupted",
  remedy: "What was committed stays; the next run goes on.",
};

const lost: KnownEnd = { ...killed, code: "NodeLost", message: "The node the pod ran on was lost." };
const shutDown: KnownEnd = {
  ...killed,
  code: "NodeShutdown",
  message: "The node the pod ran on was shut down.",
};
const cannotRun: KnownEnd = {
  outcome: "failed",
  code: "ContainerCannotRun",
  message: "The container could not be started.",
  remedy: "Check the image of the harvester and the security settings of the namespace.",
};

/** Reasons of Kubernetes for the end of a pod or of its container. */
export const reasons: ReadonlyMap<string, KnownEnd> = new Map<string, KnownEnd>([
  [
    "OOMKilled",
    {
      outcome: "failed",
      code: "OutOfMemory",
      message: "The harvester was killed because it needed more memory than its limit.",
      remedy:
        "Lower limits.maxPageBytes or limits.maxRecordBytes of the source, or give the pods more memory.",
    },
  ],
  ["ContainerCannotRun", cannotRun],
  ["StartError", cannotRun],
  [
    "Evicted",
    { ...killed, code: "Evicted", message: "The node evicted the pod: it was short of resources." },
  ],
  ["NodeLost", lost],
  ["ContainerStatusUnknown", lost],
  ["Shutdown", shutDown],
  ["Terminated", shutDown],
  ["NodeShutdown", shutDown],
  [
    "DeadlineExceeded",
    {
      outcome: "interrupted",
      code: "DeadlineExceeded",
      message: "The run took longer than its Job may.",
      remedy:
        "What was committed stays, and the next run goes on; if it happens each time, raise limits.maxRunSeconds.",
    },
  ],
]);

export const vanished: KnownEnd = {
  outcome: "failed",
  code: "PodVanished",
  message: "Its pod vanished before it could say how it ended (node lost or evicted?).",
  remedy: "What was committed stays; the next run goes on.",
};

export function neverStarted(trouble: string): KnownEnd {
  return { outcome: "failed", code: "PodNotStarted", message: `The run never began. ${trouble}` };
}

export function contradicted(exitCode: number): KnownEnd {
  return {
    outcome: "failed",
    code: "EndContradicted",
    message: `The run said that it was complete, but its container ended with exit code ${String(exitCode)}.`,
    remedy: "Read the log of the run; the next run reads the changes again.",
  };
}

export function unknownExit(exitCode: number): KnownEnd {
  if (exitCode === 143 || exitCode === 137)
    return {
      ...killed,
      code: "Killed",
      message: `The harvester was killed (exit code ${String(exitCode)}).`,
    };
  return {
    outcome: "failed",
    code: "UnknownExitCode",
    message: `The container ended with exit code ${String(exitCode)}, which is none of the harvester's.`,
    remedy: "Check that the image is the harvester's, and read the log of the run.",
  };
}

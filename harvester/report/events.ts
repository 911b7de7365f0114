/** What a run tells while it goes: the only input of progress, log, metrics and summary. Types only. */
import type { FaultKind } from "../fault.js";
import type { Capabilities, Instant, SkipReason, Violation, Warning, Window } from "../record.js";

export type RunEvent =
  | {
      readonly kind: "identified";
      readonly capabilities: Capabilities;
      /** The source's clock less ours (skew.ts). */
      readonly skewSeconds?: number | undefined;
    }
  | { readonly kind: "window"; readonly set: string; readonly window: Window; readonly resumed: boolean }
  | { readonly kind: "request"; readonly url: string; readonly status: number; readonly milliseconds: number }
  | { readonly kind: "bytes"; readonly bytes: number }
  | { readonly kind: "wait"; readonly milliseconds: number; readonly reason: string }
  | { readonly kind: "restart"; readonly reason: string }
  | { readonly kind: "page"; readonly received: number; readonly listSize?: number; readonly token: boolean }
  | {
      readonly kind: "committed";
      readonly read: number;
      readonly inserted: number;
      readonly updated: number;
      readonly withdrawn: number;
      readonly stale: number;
      readonly healed: number;
      readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
      readonly refused: readonly Pick<Violation, "gate" | "rule">[];
    }
  | { readonly kind: "watermark"; readonly set: string; readonly before?: Instant; readonly after?: Instant }
  | { readonly kind: "sweep"; readonly set: string; readonly known: number; readonly missing: number }
  | { readonly kind: "incomplete"; readonly set: string; readonly sentence: string }
  | { readonly kind: "warning"; readonly warning: Warning }
  | {
      readonly kind: "fault";
      readonly fault: FaultKind;
      readonly code: string;
      readonly sentence: string;
    };

/** Where events go: progress on a terminal, log lines, nothing. Must not throw. */
export type Observer = (event: RunEvent) => void;

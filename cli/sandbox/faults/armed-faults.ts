/** Which faults are switched on, and which of them strike a given request. */
import type { Verb } from "../oai/question.js";
import type { ServerFault, ServerFaultKind } from "./server-faults.js";

/** What is known of a request before it is answered. */
export interface Occasion {
  readonly verb: Verb | undefined;
  /** Page of the list, the first is 1. */
  readonly page: number;
}

/** The faults that strike one request. */
export class Striking {
  readonly #faults: readonly ServerFault[];

  constructor(faults: readonly ServerFault[]) {
    this.#faults = faults;
  }

  get(kind: ServerFaultKind): ServerFault | undefined {
    return this.#faults.find((fault) => fault.kind === kind);
  }

  has(kind: ServerFaultKind): boolean {
    return this.get(kind) !== undefined;
  }

  /** The first of these kinds that strikes. */
  first<const K extends ServerFaultKind>(
    kinds: readonly K[],
  ): (ServerFault & { readonly kind: K }) | undefined {
    return this.#faults.find((fault): fault is ServerFault & { readonly kind: K } =>
      kinds.some((kind) => kind === fault.kind),
    );
  }

  kinds(): readonly ServerFaultKind[] {
    return this.#faults.map((fault) => fault.kind);
  }
}

export interface ArmedFault {
  readonly id: number;
  readonly fault: ServerFault;
  /** Requests it still lets pass. */
  readonly waiting: number;
  /** Requests it will still strike; Infinity = until switched off. */
  readonly left: number;
}

export class ArmedFaults {
  #armed: readonly ArmedFault[] = [];
  #lastId = 0;

  arm(fault: ServerFault): number {
    const left = fault.times === 0 ? Infinity : (fault.times ?? 1);
    this.#armed = [...this.#armed, { id: ++this.#lastId, fault, waiting: fault.after ?? 0, left }];
    return this.#lastId;
  }

  /** Switches one off, or all. */
  disarm(id?: number): void {
    this.#armed = id === undefined ? [] : this.#armed.filter((each) => each.id !== id);
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** The faults that strike now; counts them down. */
  strike(occasion: Occasion): Striking {
    const struck = this.#armed.filter((each) => matches(each.fault, occasion) && each.waiting === 0);
    this.#armed = this.#armed.map((each) => countDown(each, occasion)).filter((each) => each.left > 0);
    return new Striking(struck.map((each) => each.fault));
  }
}

function matches(fault: ServerFault, occasion: Occasion): boolean {
  if (fault.verb !== undefined && fault.verb !== occasion.verb) return false;
  return fault.page === undefined || fault.page === occasion.page;
}

function countDown(armed: ArmedFault, occasion: Occasion): ArmedFault {
  if (!matches(armed.fault, occasion)) return armed;
  return armed.waiting > 0 ? { ...armed, waiting: armed.waiting - 1 } : { ...armed, left: armed.left - 1 };
}

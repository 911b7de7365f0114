/** What the server was asked, so that a test can say "two requests". */

export interface LoggedRequest {
  readonly method: string;
  /** Query (or form) as received, decoded once, in order. */
  readonly query: string;
  readonly verb: string;
  /** Lower-case names; several values joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Common name of the client certificate, when one was shown. */
  readonly clientName?: string;
  /** Kinds of the faults that struck. */
  readonly faults: readonly string[];
  /** Milliseconds of the epoch by the machine's clock. */
  readonly startedAt: number;
  /** HTTP status; 0 while unanswered. */
  readonly status: number;
}

export interface RequestLog {
  readonly count: number;
  readonly inFlight: number;
  readonly maxInFlight: number;
  /** Connections opened, those of the control too. */
  readonly connections: number;
  /** The last thousand, oldest first. */
  readonly last: readonly LoggedRequest[];
}

const KEPT = 1000;

export class Requests {
  #count = 0;
  #inFlight = 0;
  #maxInFlight = 0;
  #connections = 0;
  #last: { value: LoggedRequest }[] = [];

  connected(): void {
    this.#connections++;
  }

  /** Returns what to call with the status when the request is over. */
  began(request: Omit<LoggedRequest, "status">): (status: number) => void {
    this.#count++;
    this.#inFlight++;
    this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight);
    const kept = { value: { ...request, status: 0 } };
    this.#last.push(kept);
    if (this.#last.length > KEPT) this.#last.shift();
    return (status) => {
      this.#inFlight--;
      kept.value = { ...kept.value, status };
    };
  }

  read(): RequestLog {
    const last = this.#last.map((each) => each.value);
    return {
      count: this.#count,
      inFlight: this.#inFlight,
      maxInFlight: this.#maxInFlight,
      connections: this.#connections,
      last,
    };
  }

  clear(): void {
    this.#count = 0;
    this.#maxInFlight = this.#inFlight;
    this.#connections = 0;
    this.#last = [];
  }
}

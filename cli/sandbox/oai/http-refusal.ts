/** Thrown where a faulty server gives up in the middle of its work: answered with a bare HTTP status, not with OAI-PMH. */
export class HttpRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${String(status)}`);
    this.name = "HttpRefusal";
    this.status = status;
  }
}

/** What a mapping could not take over, collected while it reads. */
import type { Violation } from "../record.js";
import { placesOf } from "../xml/tree-path.js";
import type { XmlElement } from "../xml/tree.js";

/** More tells nobody anything, and a hostile record must not fill the store with them. */
const MAX_REMARKS = 50;

interface Remark {
  readonly rule: string;
  readonly severity: "warning" | "info";
  readonly message: string;
  readonly at: XmlElement | undefined;
}

export class Remarks {
  private readonly kept: Remark[] = [];
  private dropped = 0;

  /** A value of the source is not in the canonical record. */
  warn(rule: string, message: string, at?: XmlElement): void {
    this.add({ rule, severity: "warning", message, at });
  }

  /** The canonical record says less than the source, as it is meant to. */
  tell(rule: string, message: string, at?: XmlElement): void {
    this.add({ rule, severity: "info", message, at });
  }

  private add(remark: Remark): void {
    if (this.kept.length < MAX_REMARKS) this.kept.push(remark);
    else this.dropped++;
  }

  /** In the order they were made, with their places. */
  violations(root: XmlElement): readonly Violation[] {
    if (this.kept.length === 0) return [];
    const wanted = new Set(this.kept.flatMap((remark) => remark.at ?? []));
    const places = placesOf(root, wanted);
    const violations = this.kept.map(({ rule, severity, message, at }): Violation => {
      const xpath = at === undefined ? undefined : places.get(at);
      return { gate: "transform", rule, severity, message, ...(xpath === undefined ? {} : { xpath }) };
    });
    if (this.dropped > 0) violations.push(moreRemarks(this.dropped));
    return violations;
  }
}

function moreRemarks(count: number): Violation {
  const message = `${String(count)} more remarks on this record were not kept.`;
  return { gate: "transform", rule: "more-remarks", severity: "info", message };
}

/** A value of the source, shortened for a sentence. */
export function quoted(value: string): string {
  const characters = [...value.slice(0, 120)];
  return characters.length <= 60 ? `'${value.slice(0, 120)}'` : `'${characters.slice(0, 60).join("")}…'`;
}

/** A rule set as read: includes followed, abstract patterns and rules filled in, expressions still text. No binding yet. */

/** Where something stands, for messages. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Text of an expression and where it stands. */
export interface Source extends Place {
  readonly text: string;
}

export interface RuleSetModel extends Place {
  /** As written, in lower case; "" where there is none (ISO 19757-3 §6.4: then it is xslt). */
  readonly queryBinding: string;
  readonly namespaces: ReadonlyMap<string, string>;
  readonly lets: readonly Let[];
  readonly phases: ReadonlyMap<string, Phase>;
  readonly defaultPhase?: string;
  readonly patterns: readonly Pattern[];
  readonly diagnostics: ReadonlyMap<string, readonly MessagePart[]>;
}

export interface Let {
  readonly name: string;
  readonly place: Place;
  /** An expression, or the text of the element's content. */
  readonly value:
    | { readonly kind: "expression"; readonly source: Source }
    | { readonly kind: "text"; readonly text: string };
}

export interface Phase {
  readonly lets: readonly Let[];
  readonly patterns: ReadonlySet<string>;
}

export interface Pattern extends Place {
  /** As written, or `pattern-N` by position. */
  readonly id: string;
  readonly lets: readonly Let[];
  readonly rules: readonly Rule[];
}

export interface Rule extends Place {
  readonly context: Source;
  readonly lets: readonly Let[];
  readonly checks: readonly Check[];
}

export type Severity = "error" | "warning" | "info";

/** An assert or a report. */
export interface Check {
  /** @id, else derived from pattern and position, so that it stays the same while the file does. */
  readonly id: string;
  readonly test: Source;
  /** Does a true test mean a violation (report), or a false one (assert)? */
  readonly violatedWhen: boolean;
  readonly severity: Severity;
  readonly message: readonly MessagePart[];
  /** Ids of texts that say more. */
  readonly diagnostics: readonly string[];
}

export type MessagePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly select: Source }
  /** sch:name: the name of the context node, or what its path gives. */
  | { readonly kind: "name"; readonly path?: Source };

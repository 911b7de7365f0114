/** What the XML engine says is wrong, before the gates put it into words for a publisher. */

export interface XmlProblem {
  /** libxml2's own message, one line. */
  readonly message: string;
  /** 1-based; absent when the engine does not know (0) or cannot count (65535 and above for nodes). */
  readonly line?: number;
  /** 1-based; only parse errors have one. */
  readonly column?: number;
  /** Path of the node, where there is one. */
  readonly xpath?: string;
  /** The file of a policy set, where the problem is in one. */
  readonly file?: string;
}

/** A problem without the keys that carry nothing. */
export function problem(parts: {
  message: string;
  line?: number | undefined;
  column?: number | undefined;
  xpath?: string | undefined;
  file?: string | undefined;
}): XmlProblem {
  return {
    message: parts.message.replace(/\s+/g, " ").trim(),
    ...(parts.line !== undefined && parts.line > 0 && { line: parts.line }),
    ...(parts.column !== undefined && parts.column > 0 && { column: parts.column }),
    ...(parts.xpath !== undefined && { xpath: parts.xpath }),
    ...(parts.file !== undefined && { file: parts.file }),
  };
}

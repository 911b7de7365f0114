/**
 * The JSON object at the beginning of a text that may have been cut: the kubelet cuts a termination message that is too
 * long, in the middle of whatever stands there. Of a cut object its whole members remain; undefined when there are none.
 */
export function parseTruncated(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return undefined;
  const whole = tryParse(text);
  if (whole !== undefined) return whole;
  const end = endOfLastMember(text);
  return end === undefined ? undefined : tryParse(`${text.slice(0, end)}}`);
}

/** Deep nesting is not ours, and cannot hurt: the text is short and JSON.parse does not recurse in V8. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Place of the last comma between members of the outermost object. */
function endOfLastMember(text: string): number | undefined {
  let depth = 0;
  let last: number | undefined;
  // A string is one token, so that no comma or bracket in it counts; a string that was cut matches nothing more.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|"|[{}[\],]/gs)) {
    if (token === '"') break;
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (token === "," && depth === 1) last = index;
  }
  return last;
}

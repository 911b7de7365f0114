const WIDTH = 110;

/** JSON as prettier writes it, so that the generated file passes the format check: lists of scalars on one line if they fit. */
export function jsonText(value: unknown, indent = ""): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) return listText(value as readonly unknown[], indent);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, child]) => child !== undefined);
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, child]) => {
    const head = `${inner}${JSON.stringify(key)}: `;
    return (
      head +
      (Array.isArray(child)
        ? listText(child as readonly unknown[], inner, head.length)
        : jsonText(child, inner))
    );
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function listText(list: readonly unknown[], indent: string, column = indent.length): string {
  const scalar = list.every((item) => typeof item !== "object" || item === null);
  const oneLine = `[${list.map((item) => JSON.stringify(item)).join(", ")}]`;
  // One more for the comma that may follow.
  if (scalar && column + oneLine.length < WIDTH) return oneLine;
  const inner = `${indent}  `;
  return `[\n${list.map((item) => inner + jsonText(item, inner)).join(",\n")}\n${indent}]`;
}

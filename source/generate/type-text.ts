import { isTextOrList, storedVersion, type Crd, type CrdNode } from "./crd-node.js";

const WIDTH = 110;

/** TypeScript of a manifest after its defaults were filled in: a field with a default is always there. */
export function typeText(crd: Crd): string {
  const { apiVersion, kind, spec, status } = storedVersion(crd);
  return `/** A manifest after its defaults were filled in: fields with a default are always there. */
export interface ${kind} {
  readonly apiVersion: ${JSON.stringify(apiVersion)};
  readonly kind: ${JSON.stringify(kind)};
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: ${kind}Spec;
}

${comment(spec.description, "")}export interface ${kind}Spec ${objectText(spec, "")}
${status === undefined ? "" : `\n${comment(status.description, "")}export interface ${kind}Status ${objectText(status, "")}\n`}`;
}

function objectText(node: CrdNode, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(node.properties ?? {}).map(([name, child]) => {
    const always = child.default !== undefined || node.required?.includes(name) === true;
    const doc = comment(withDefault(child), inner);
    return `${doc}${inner}readonly ${name}${always ? "" : "?"}: ${nodeText(child, inner)};`;
  });
  return `{\n${fields.join("\n")}\n${indent}}`;
}

function nodeText(node: CrdNode, indent: string): string {
  if (isTextOrList(node)) return "string | readonly string[]";
  if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (node.properties !== undefined) return objectText(node, indent);
  if (node.items !== undefined) return `readonly ${nodeText(node.items, indent)}[]`;
  if (node.type === "integer") return "number";
  if (node.type === "string" || node.type === "number" || node.type === "boolean") return node.type;
  throw new Error(
    `No TypeScript for a node of type ${String(node.type)}: teach source/generate/type-text.ts.`,
  );
}

function withDefault(node: CrdNode): string | undefined {
  if (node.default === undefined || node.type === "object") return node.description;
  return `${node.description ?? ""} Default ${String(node.default)}.`.trim();
}

function comment(text: string | undefined, indent: string): string {
  if (text === undefined) return "";
  const oneLine = `${indent}/** ${text} */\n`;
  if (oneLine.length <= WIDTH) return oneLine;
  const lines = wrap(text, WIDTH - indent.length - 3).map((line) => `${indent} * ${line}\n`);
  return `${indent}/**\n${lines.join("")}${indent} */\n`;
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

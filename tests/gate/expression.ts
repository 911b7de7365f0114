/** Expressions of GitHub's workflows, as far as ours go: paths, texts, == != && || !, parentheses, and a few functions. */

export type Context = Readonly<Record<string, unknown>>;

/** `${{ … }}` within a text, each replaced by its value as text. */
export function interpolate(text: string, context: Context): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, inner: string) => asText(evaluate(inner, context)));
}

/** An `if:`, with or without the braces around it. */
export function holds(condition: string, context: Context): boolean {
  const bare = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(condition)?.[1] ?? condition;
  return truthy(evaluate(bare, context));
}

export function evaluate(text: string, context: Context): unknown {
  const parser = new Parser(tokensOf(text), context);
  const value = parser.either();
  parser.end(text);
  return value;
}

function tokensOf(text: string): readonly string[] {
  const tokens = text.match(
    /'(?:[^']|'')*'|==|!=|&&|\|\||[!(),]|[A-Za-z_][\w-]*(?:\.[A-Za-z_*][\w-]*)*|\d+(?:\.\d+)?|\S/g,
  );
  return tokens ?? [];
}

class Parser {
  readonly #tokens: readonly string[];
  readonly #context: Context;
  #at = 0;

  constructor(tokens: readonly string[], context: Context) {
    this.#tokens = tokens;
    this.#context = context;
  }

  end(text: string): void {
    if (this.#at < this.#tokens.length) throw new Error(`Cannot read the expression ${text}`);
  }

  either(): unknown {
    let left = this.#both();
    while (this.#take("||")) {
      const right = this.#both();
      left = truthy(left) ? left : right;
    }
    return left;
  }

  #both(): unknown {
    let left = this.#equal();
    while (this.#take("&&")) {
      const right = this.#equal();
      left = truthy(left) ? right : left;
    }
    return left;
  }

  #equal(): unknown {
    const left = this.#one();
    if (this.#take("==")) return same(left, this.#one());
    if (this.#take("!=")) return !same(left, this.#one());
    return left;
  }

  #one(): unknown {
    if (this.#take("!")) return !truthy(this.#one());
    if (this.#take("(")) {
      const inner = this.either();
      this.#must(")");
      return inner;
    }
    const token = this.#tokens[this.#at] ?? "";
    this.#at += 1;
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'");
    if (/^\d/.test(token)) return Number(token);
    if (token === "true" || token === "false") return token === "true";
    if (!/^[A-Za-z_]/.test(token)) throw new Error(`Unexpected ${token} in an expression`);
    return this.#take("(") ? this.#call(token) : lookUp(token, this.#context);
  }

  #call(name: string): unknown {
    const given: unknown[] = [];
    while (!this.#take(")")) {
      given.push(this.either());
      this.#take(",");
    }
    const known = this.#context[name];
    if (typeof known !== "function") throw new Error(`There is no function ${name}()`);
    return (known as (...values: unknown[]) => unknown)(...given);
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #must(token: string): void {
    if (!this.#take(token)) throw new Error(`${token} is missing in an expression`);
  }
}

function lookUp(path: string, context: Context): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined | null)?.[key], context);
}

function truthy(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

/** GitHub compares texts without regard to case. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string") return a.toLowerCase() === b.toLowerCase();
  return (a ?? null) === (b ?? null);
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
}

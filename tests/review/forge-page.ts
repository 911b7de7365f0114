/** A report as a forge shows it: GitHub-flavoured Markdown, then everything taken out that it would not let through. */
import { marked } from "marked";
import sanitizeHtml from "sanitize-html";

export interface ForgePage {
  readonly html: string;
  /** Names of all elements, sorted, each once. */
  readonly elements: readonly string[];
  /** What is read: without markup, and without the marks that only part characters. */
  readonly text: string;
  /** The same without code: here a forge would act on @names, #numbers and addresses. */
  readonly acting: string;
}

export function forgePage(markdown: string): ForgePage {
  const raw = marked.parse(markdown, { gfm: true, async: false });
  const html = sanitizeHtml(raw, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, "details", "summary", "sub", "img", "input"],
    allowedAttributes: { a: ["href"], img: ["src"], td: ["align"], th: ["align"] },
    allowedSchemes: ["http", "https", "mailto"],
  });
  const elements = [...new Set(Array.from(html.matchAll(/<([a-z0-9]+)/g), ([, name = ""]) => name))].sort();
  return {
    html,
    elements,
    text: plain(html).replaceAll("\u200b", ""),
    acting: plain(html.replace(/<(code|pre)\b[\s\S]*?<\/\1>/g, " ")),
  };
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

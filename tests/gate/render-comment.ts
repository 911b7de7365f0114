/**
 * Markdown as GitHub shows a comment: GFM, then only the elements and attributes GitHub lets through (the list of
 * github.com/gjtorikian/html-pipeline's SanitizationFilter, as docs.github.com refers to), in a column of GitHub's width.
 */
import { marked } from "marked";
import sanitizeHtml from "sanitize-html";

const blocks = "h1 h2 h3 h4 h5 h6 p div blockquote pre hr br ul ol li dl dt dd details summary".split(" ");
const tables = "table thead tbody tfoot tr td th".split(" ");
const words = "a b i strong em tt code sup sub del s strike ins kbd q samp var span img".split(" ");

/** The comment's inside. */
export async function commentHtml(markdown: string): Promise<string> {
  return sanitizeHtml(await marked.parse(markdown, { gfm: true }), {
    allowedTags: [...blocks, ...tables, ...words],
    allowedAttributes: { a: ["href"], img: ["src", "alt"], td: ["align"], th: ["align"], details: ["open"] },
    allowedSchemes: ["http", "https", "mailto"],
  });
}

/** A page that shows it as a pull request does: 1012 px is the width of GitHub's column. */
export async function commentPage(markdown: string): Promise<string> {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Comment</title><style>${style}</style></head>
<body><article><header><b>github-actions</b> <span>bot</span> commented</header><main>${await commentHtml(markdown)}</main></article></body></html>`;
}

const style = `
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 14px/1.5 -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
article { width: 1012px; margin: 0 auto; border: 1px solid #d1d9e0; border-radius: 6px; box-sizing: border-box; }
header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; color: #59636e; }
header b { color: #1f2328; } header span { border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 6px; font-size: 12px; }
main { padding: 16px; overflow-wrap: break-word; }
main > :first-child { margin-top: 0; } main > :last-child { margin-bottom: 0; }
h3 { font-size: 17.5px; margin: 24px 0 16px; line-height: 1.25; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; margin: 0 0 16px; }
th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; } tr:nth-child(2n) td { background: #f6f8fa; }
code { background: #818b981f; padding: .2em .4em; border-radius: 6px; font: 12px/1.4 "DejaVu Sans Mono", ui-monospace, monospace; }
pre { background: #f6f8fa; padding: 16px; border-radius: 6px; overflow: auto; } pre code { background: none; padding: 0; }
ul { padding-left: 2em; margin: 0 0 16px; } li + li { margin-top: .25em; } summary { cursor: pointer; } details { margin: 0 0 16px; }
blockquote { margin: 0 0 16px; padding: 0 1em; border-left: .25em solid #d1d9e0; color: #59636e; }
sub { font-size: 12px; vertical-align: baseline; color: #59636e; }
`;

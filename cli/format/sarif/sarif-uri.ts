/**
 * A path with `/` as a URI reference (RFC 3986 §4.2): each step percent-encoded, `./` at the front left out, a path that
 * begins with `/` as a file URI. A colon is encoded too, or the first step could be read as a scheme.
 */
export function sarifUri(path: string): string {
  const forward = path.replaceAll("\\", "/").replace(/^(\.\/+)+/, "");
  const encoded = forward.split("/").map(encodeStep).join("/");
  return forward.startsWith("/") ? `file://${encoded}` : encoded;
}

function encodeStep(step: string): string {
  // A lone surrogate cannot be encoded: a file name from another system may hold one.
  return encodeURIComponent(step.replace(/\p{Surrogate}/gu, "\ufffd"));
}

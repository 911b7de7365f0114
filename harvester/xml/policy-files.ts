/**
 * The only files the XML engine can see: the policy bundle handed in while a schema is compiled, and nothing at any
 * other time. It answers for every name, so that no other provider (disk, network) is ever asked.
 */
import { closeBuffer, openBuffer, readBuffer, xmlRegisterInputProvider } from "libxml2-wasm";

const SCHEME = "policy:///";

let visible: ReadonlyMap<string, Uint8Array> = new Map();
let missing: string[] = [];

/** The address under which the engine knows a file of the bundle. */
export function policyUrl(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

/** The path inside the bundle of an address the engine uses, or the address itself where it is none of ours. */
export function policyPath(url: string): string {
  if (!url.startsWith(SCHEME)) return url;
  try {
    return decodeURIComponent(url.slice(SCHEME.length));
  } catch {
    return url;
  }
}

/** Runs `step` with these files visible; says which others it asked for. */
export function withPolicyFiles<T>(
  files: ReadonlyMap<string, Uint8Array>,
  step: () => T,
): { result: T; missing: readonly string[] } {
  visible = files;
  missing = [];
  try {
    return { result: step(), missing };
  } finally {
    visible = new Map();
  }
}

xmlRegisterInputProvider({
  match: () => true,
  open: (url) => {
    const path = policyPath(url);
    const bytes = visible.get(path);
    if (bytes === undefined) missing.push(path);
    return bytes === undefined ? undefined : openBuffer(bytes);
  },
  read: readBuffer,
  close: (descriptor) => {
    closeBuffer(descriptor);
    return true;
  },
});

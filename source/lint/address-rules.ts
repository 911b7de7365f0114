import type { Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { findingAt } from "./lint-rule.js";
import { isAddress } from "../address.js";

/**
 * The API server reads addresses as Go does, the harvester as a browser does (WHATWG URL): a port of 99999 passes there and
 * could never be asked. Told only where the server's own rule has not refused the address already.
 */
export function unaskableAddresses(located: LocatedSource, told: ReadonlySet<string>): readonly Finding[] {
  const { baseUrl, transport } = located.source.spec;
  const findings: Finding[] = [];
  if (!told.has("endpoint/address") && !isAddress(baseUrl))
    findings.push(unaskable(located, { rule: "endpoint/address", path: ["spec", "baseUrl"] }));
  const { proxyUrl } = transport;
  if (proxyUrl !== undefined && !told.has("transport/proxy-url") && !isAddress(proxyUrl))
    findings.push(
      unaskable(located, { rule: "transport/proxy-url", path: ["spec", "transport", "proxyUrl"] }),
    );
  return findings;
}

function unaskable(
  located: LocatedSource,
  { rule, path }: { readonly rule: string; readonly path: readonly string[] },
): Finding {
  return findingAt(located, path, {
    rule,
    severity: "error",
    sentence: `${path.slice(1).join(".")} is no address that can be asked, though the API server accepts it: its host or its port is none.`,
    remedy: "Copy the address from where it is described, with its host and port.",
  });
}

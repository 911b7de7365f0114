import { parseAddress } from "../address.js";

/** CEL's ip(): an address without zone, and not an IPv4 address in the form of an IPv6 one (Kubernetes library net.ip). */
export interface IpAddress {
  readonly family: 4 | 6;
  /** As string(ip) writes it: the one canonical form. */
  readonly text: string;
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/;

/** undefined where ip() is an error, and isIP() false. */
export function parseIp(text: string): IpAddress | undefined {
  if (IPV4.test(text)) return { family: 4, text };
  if (!/^[0-9A-Fa-f:.]+$/.test(text) || !text.includes(":")) return undefined;
  const canonical = parseAddress(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (canonical === undefined) return undefined;
  return canonical.startsWith("::ffff:") && /^::ffff:[0-9a-f]+:[0-9a-f]+$/.test(canonical)
    ? undefined
    : { family: 6, text: canonical };
}

/**
 * Keeps requests out of private networks (case C91). The addresses a name resolves to are judged and the very same ones
 * are connected to, so that a name that answers differently a moment later (DNS rebinding) gains nothing.
 */
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Fault } from "../fault.js";
import { classifyAddress, type AddressClass } from "./address.js";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name, in the order they are to be tried. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface AddressGuard {
  /** For the socket: resolves, and hands out only addresses that may be connected to. */
  readonly lookup: LookupFunction;
  /** A host that is an address needs no lookup, so it is judged here. Undefined: nothing against it. */
  refusalOf(host: string): Fault | undefined;
  /** For a proxy, which resolves by itself: what this machine knows of the name. Rejects with the refusal. */
  judgeName(hostname: string): Promise<void>;
}

interface GuardOptions {
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve | undefined;
}

export function addressGuard(options: GuardOptions): AddressGuard {
  function refusalOf(host: string): Fault | undefined {
    const bare = host.replace(/^\[|\]$/g, "");
    if (options.allowPrivate || isIP(bare.replace(/%.*$/, "")) === 0) return undefined;
    const is = classifyAddress(bare);
    return is === "public" ? undefined : addressNotAllowed(bare, bare, is);
  }

  return {
    refusalOf,
    lookup: (hostname, wanted, callback) => {
      openAddresses(hostname, options).then(
        (found) => {
          answer(found, wanted, callback);
        },
        (error: unknown) => {
          callback(error as NodeJS.ErrnoException, "", 0);
        },
      );
    },
    async judgeName(hostname) {
      const refusal = refusalOf(hostname);
      if (refusal !== undefined) throw refusal;
      if (options.allowPrivate || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return;
      try {
        await openAddresses(hostname, options);
      } catch (error) {
        // Behind a proxy the outside names often do not resolve at all: then only the proxy can judge.
        if (error instanceof Fault) throw error;
      }
    },
  };
}

/** The addresses of a name that may be connected to. Rejects when it has addresses but none of them may. */
async function openAddresses(hostname: string, options: GuardOptions): Promise<readonly ResolvedAddress[]> {
  const found = await (options.resolve ?? resolveBySystem)(hostname);
  const first = found[0];
  if (options.allowPrivate || first === undefined) return found;
  const open = found.filter(({ address }) => classifyAddress(address) === "public");
  if (open.length === 0) throw addressNotAllowed(hostname, first.address, classifyAddress(first.address));
  return open;
}

type LookupAnswer = Parameters<LookupFunction>[2];

function answer(
  found: readonly ResolvedAddress[],
  wanted: { readonly all?: boolean | undefined },
  callback: LookupAnswer,
): void {
  const first = found[0];
  if (first === undefined) callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "", 0);
  else if (wanted.all === true) callback(null, [...found]);
  else callback(null, first.address, first.family);
}

async function resolveBySystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  return lookup(hostname, { all: true });
}

const words: Readonly<Record<AddressClass, string>> = {
  public: "a public address",
  unspecified: "an unspecified address",
  loopback: "a loopback address (this machine)",
  private: "an address of a private network",
  "link-local": "a link-local address",
  "carrier-nat": "a shared address of a provider's network (RFC 6598)",
  metadata: "the metadata service of a cloud",
  multicast: "a multicast address",
  documentation: "an address reserved for documentation",
  reserved: "a reserved address",
  unreadable: "not an address this program can judge",
};

function addressNotAllowed(host: string, address: string, is: AddressClass): Fault {
  const where = host === address ? address : `${host} resolves to ${address}, which`;
  return new Fault("config", {
    code: "AddressNotAllowed",
    sentence: `${where} is ${words[is]}: requests to it are refused.`,
    remedy: "If the source really lies there, set spec.transport.allowPrivateNetwork: true in its manifest.",
  });
}

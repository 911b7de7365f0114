import { describe, expect, it } from "vitest";
import { addressGuard, type AddressGuard, type ResolvedAddress } from "./address-guard.js";

/** Answers of a resolver, one list per question; the last one stays. */
function answering(...answers: readonly (readonly string[])[]): { guard: AddressGuard; asked: string[] } {
  const asked: string[] = [];
  const guard = addressGuard({
    allowPrivate: false,
    resolve: (name) => {
      const found = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(name);
      return Promise.resolve(found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
    },
  });
  return { guard, asked };
}

/** What a socket is told, the way node:net asks. */
function lookup(guard: AddressGuard, all = true): Promise<readonly ResolvedAddress[] | string> {
  return new Promise((resolve, reject) => {
    guard.lookup("source.example", { all }, (error, address) => {
      if (error !== null) reject(error);
      else resolve(address);
    });
  });
}

describe("addressGuard", () => {
  it("C91 hands the socket the very addresses it judged, from one question", async () => {
    const { guard, asked } = answering(["8.8.8.8"], ["127.0.0.1"]);
    expect(await lookup(guard)).toEqual([{ address: "8.8.8.8", family: 4 }]);
    expect(asked).toEqual(["source.example"]);
  });

  it("C91 a name that answers differently the second time (rebinding) is judged again", async () => {
    const { guard } = answering(["8.8.8.8"], ["127.0.0.1"]);
    await lookup(guard);
    await expect(lookup(guard)).rejects.toMatchObject({ kind: "config", code: "AddressNotAllowed" });
  });

  it("C91 of several addresses only the public ones are handed out", async () => {
    const { guard } = answering(["10.0.0.1", "8.8.8.8", "::1", "2606:4700:4700::1111"]);
    expect(await lookup(guard)).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700:4700::1111", family: 6 },
    ]);
    expect(await lookup(guard, false)).toBe("8.8.8.8");
  });

  it("C91 says which name led where", async () => {
    const { guard } = answering(["169.254.169.254"]);
    await expect(lookup(guard)).rejects.toThrow(
      "source.example resolves to 169.254.169.254, which is the metadata service of a cloud: requests to it are refused.",
    );
  });

  it("a name without any address is unknown", async () => {
    const { guard } = answering([]);
    await expect(lookup(guard)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it("allowPrivate lets everything through", async () => {
    const guard = addressGuard({
      allowPrivate: true,
      resolve: () => Promise.resolve([{ address: "10.0.0.1", family: 4 }]),
    });
    expect(await lookup(guard)).toEqual([{ address: "10.0.0.1", family: 4 }]);
    expect(guard.refusalOf("127.0.0.1")).toBeUndefined();
  });

  it("C91 before a proxy: a name known to be private is refused, an unknown one is the proxy's to judge", async () => {
    await expect(answering(["10.0.0.1"]).guard.judgeName("inside.example")).rejects.toMatchObject({
      code: "AddressNotAllowed",
    });
    await expect(answering(["10.0.0.1"]).guard.judgeName("[::1]")).rejects.toMatchObject({
      code: "AddressNotAllowed",
    });
    await answering(["8.8.8.8"]).guard.judgeName("outside.example");
    const unknown = addressGuard({
      allowPrivate: false,
      resolve: () => Promise.reject(new Error("ENOTFOUND")),
    });
    await unknown.judgeName("outside.example");
  });
});

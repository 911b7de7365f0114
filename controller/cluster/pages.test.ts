import { describe, expect, it } from "vitest";
import { ApiFault } from "../api.js";
import { resources } from "../resources.js";
import { readPages } from "./pages.js";

function fault(status: number, reason: string): ApiFault {
  return new ApiFault("x", { status, reason, verb: "list", resource: "pods" });
}

function page(names: readonly string[], token = "") {
  return {
    kind: "PodList",
    metadata: { resourceVersion: "9", ...(token === "" ? {} : { continue: token }) },
    items: names.map((name) => ({ metadata: { name } })),
  };
}

/** Answers in order; what was asked for is noted. */
async function list(answers: readonly unknown[], limit?: number) {
  const asked: string[] = [];
  const result = await readPages(
    resources.pod,
    (wish) => {
      const answer = answers[asked.length];
      asked.push(`${String(wish.limit)} ${wish.continue}`.trim());
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    limit === undefined ? {} : { limit },
  ).catch((error: unknown) => error as Error);
  return { asked, result };
}

describe("readPages", () => {
  it("reads page after page, and says what each object is", async () => {
    const { asked, result } = await list([page(["a", "b"], "t1"), page(["c"])]);
    expect(asked).toEqual(["500", "500 t1"]);
    expect(result).toEqual({
      resourceVersion: "9",
      items: ["a", "b", "c"].map((name) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } })),
    });
  });

  it("begins anew, in one answer, when the server forgot the moment of the list", async () => {
    const { asked, result } = await list([page(["a"], "t1"), fault(410, "Expired"), page(["a", "b"])], 1);
    expect(asked).toEqual(["1", "1 t1", "0"]);
    expect(result).toMatchObject({ items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }] });
  });

  it("does not ask again for a 410 of the first page", async () => {
    const { asked, result } = await list([fault(410, "Expired")]);
    expect(asked).toEqual(["500"]);
    expect(result).toMatchObject({ status: 410 });
  });

  it("asks for smaller pages when one is too large, and gives up at one object", async () => {
    const large = fault(0, "TooLarge");
    const { asked, result } = await list([large, large, large, large, large, large]);
    expect(asked).toEqual(["500", "125", "31", "7", "1"]);
    expect(result).toMatchObject({ reason: "TooLarge" });
  });

  it("keeps the place when a later page is too large", async () => {
    const { asked } = await list([page(["a"], "t1"), fault(0, "TooLarge"), page(["b"])]);
    expect(asked).toEqual(["500", "500 t1", "125 t1"]);
  });

  it.each([
    ["null", null],
    ["a text", "x"],
    ["no metadata", { items: [] }],
    ["items that are no list", { metadata: {}, items: {} }],
    ["an item without a name", { metadata: {}, items: [{ metadata: {} }] }],
    ["an item that is none", { metadata: {}, items: [7] }],
  ])("throws for %s", async (_name, answer) => {
    expect((await list([answer])).result).toBeInstanceOf(Error);
  });

  it("takes a list without items for an empty one", async () => {
    const answer = { metadata: { resourceVersion: "3" } };
    expect((await list([answer])).result).toEqual({ items: [], resourceVersion: "3" });
  });
});

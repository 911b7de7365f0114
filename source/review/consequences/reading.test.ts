import { describe, expect, it } from "vitest";
import { known, told, toldOfOne, type OneSource } from "./tell-for-tests.js";
import { manifest } from "../tree-for-tests.js";

describe("address and prefix", () => {
  const table: readonly OneSource[] = [
    {
      name: "another prefix, with a store",
      after: { metadataPrefix: "oai_dc" },
      store: known,
      expected: [
        "warning full-reharvest: a: metadataPrefix iso19139 → oai_dc starts a new cursor: all 12,481 records are read (about 98 MB, 31 s at the pace of the last full run).",
        "warning prefix-changed: All records of a are mapped from oai_dc instead of iso19139; what only iso19139 tells leaves the catalogue.",
      ],
    },
    {
      name: "another prefix, without a store",
      after: { metadataPrefix: "oai_dc" },
      expected: [
        "warning full-reharvest: a: metadataPrefix iso19139 → oai_dc starts a new cursor: all its records are read; how many there are is not known.",
        "warning prefix-changed: All records of a are mapped from oai_dc instead of iso19139; what only iso19139 tells leaves the catalogue.",
      ],
    },
    {
      name: "a prefix nothing maps",
      after: { metadataPrefix: "marcxml" },
      store: { records: 1, quarantined: 0 },
      expected: [
        "error transform-missing: a asks for marcxml, which nothing maps to the catalogue: no record of it could be stored.",
        "warning full-reharvest: a: metadataPrefix iso19139 → marcxml starts a new cursor: its 1 record is read; no full run tells how long that takes.",
        "warning prefix-changed: All records of a are mapped from marcxml instead of iso19139; what only iso19139 tells leaves the catalogue.",
      ],
    },
    {
      name: "a prefix nothing maps, as before",
      before: { metadataPrefix: "marcxml" },
      after: { metadataPrefix: "marcxml", suspend: true },
      expected: ["info suspended: a is paused: no run starts, and its records are no longer refreshed."],
    },
    {
      name: "another path, and a query that may hold a key",
      after: { baseUrl: "https://a.example/oai2?key=hush" },
      store: known,
      expected: [
        "warning full-reharvest: a: the address https://a.example/oai → https://a.example/oai2?… starts a new cursor: all 12,481 records are read (about 98 MB, 31 s at the pace of the last full run).",
      ],
    },
    {
      name: "another host, in the clear",
      after: { baseUrl: "http://b.example/oai" },
      expected: [
        "warning encryption-dropped: a is asked without TLS from now on: its records can be read and changed on the way.",
        "warning endpoint-moved: a is asked at b.example instead of a.example; nobody wrote down what that host allows. Records it does not list leave with a later sweep, behind the removal guard.",
        "warning full-reharvest: a: the address https://a.example/oai → http://b.example/oai starts a new cursor: all its records are read; how many there are is not known.",
      ],
    },
    {
      name: "a full reader that moves: nothing is read more than usual",
      before: { delta: { mode: "full" } },
      after: { delta: { mode: "full" }, baseUrl: "https://a.example/v2" },
      expected: [
        "info full-reharvest: a: the address https://a.example/oai → https://a.example/v2 starts a new cursor; it reads everything in each run anyway (delta.mode: full).",
      ],
    },
    {
      name: "a trailing slash is another address too",
      after: { baseUrl: "https://a.example/oai/" },
      expected: [
        "warning full-reharvest: a: the address https://a.example/oai → https://a.example/oai/ starts a new cursor: all its records are read; how many there are is not known.",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });

  it("says what the new host allows, and that nothing leaves where nothing sweeps", () => {
    const deletions = { policy: "ignore" };
    expect(
      told(
        { manifests: { "a.yaml": manifest("a", { deletions }) }, fairUse: "default:\n  maxRequests: 4\n" },
        {
          manifests: { "a.yaml": manifest("a", { deletions, baseUrl: "https://b.example/oai" }) },
          fairUse: "default:\n  maxRequests: 4\n",
        },
      )[0],
    ).toBe(
      "warning endpoint-moved: a is asked at b.example instead of a.example; its ceiling is 4 in flight. Records it does not list stay for ever (deletions.policy: ignore).",
    );
  });

  it("reminds of gates that stay when the format changes", () => {
    const validation = { schematron: "rules/a.sch" };
    const sides = [{ validation }, { validation, metadataPrefix: "oai_dc" }].map((spec) => ({
      manifests: { "a.yaml": manifest("a", spec) },
    }));
    expect(told(sides[0]!, sides[1]!).map((each) => each.split(":")[0])).toEqual([
      "warning full-reharvest",
      "warning prefix-changed",
    ]);
  });
});

describe("sets", () => {
  const table: readonly OneSource[] = [
    {
      name: "one more",
      before: { sets: ["roads"] },
      after: { sets: ["roads", "hydro"] },
      expected: [
        "info set-added: a: set hydro is read from its beginning; how many records that is, is not known. The other sets go on where they were.",
      ],
    },
    {
      name: "one less",
      before: { sets: ["roads", "hydro", "soil"] },
      after: { sets: ["roads"] },
      store: known,
      expected: [
        "warning set-removed: a: sets hydro and soil are no longer asked for. Records only in them stay in the catalogue, never refreshed and never withdrawn; how many of its 12,481 records that is, is not known.",
      ],
    },
    {
      name: "a renamed set: none of the old cursors stays",
      before: { sets: ["roads"] },
      after: { sets: ["transport"] },
      expected: [
        "warning full-reharvest: a: another list of sets starts a new cursor: all its records are read; how many there are is not known.",
        "warning set-removed: a: set roads is no longer asked for. Records only in it stay in the catalogue, never refreshed and never withdrawn; how many of the records of a that is, is not known.",
      ],
    },
    {
      name: "some sets instead of everything",
      after: { sets: ["roads"] },
      store: known,
      expected: [
        "warning full-reharvest: a: another list of sets starts a new cursor: all 12,481 records are read (about 98 MB, 31 s at the pace of the last full run).",
        "warning sets-narrowed: a asks for set roads instead of the whole repository. Records outside stay in the catalogue, never refreshed and never withdrawn; how many of its 12,481 records that is, is not known.",
      ],
    },
    {
      name: "everything instead of some sets",
      before: { sets: ["roads", "hydro"] },
      expected: [
        "warning full-reharvest: a: another list of sets starts a new cursor: all its records are read; how many there are is not known.",
        "warning sets-widened: a asks for the whole repository instead of sets roads and hydro; how many records that is, is not known.",
      ],
    },
    { name: "another order", before: { sets: ["a", "b"] }, after: { sets: ["b", "a"] }, expected: [] },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});

describe("windows", () => {
  const table: readonly OneSource[] = [
    {
      name: "everything in each run",
      after: { delta: { mode: "full" } },
      store: known,
      expected: [
        "warning delta-mode-changed: a reads everything in each run (delta.mode: from-cursor → full): all 12,481 records are read (about 98 MB, 31 s at the pace of the last full run).",
      ],
    },
    {
      name: "headers in each run",
      after: { delta: { mode: "snapshot" } },
      expected: [
        "info delta-mode-changed: a lists all headers in each run and fetches what changed (delta.mode: from-cursor → snapshot).",
      ],
    },
    {
      name: "from the cursor again",
      before: { delta: { mode: "full" } },
      expected: [
        "info delta-mode-changed: a asks for what changed since its watermark (delta.mode: full → from-cursor).",
      ],
    },
    {
      name: "an overlap below the skew seen",
      after: { delta: { overlapSeconds: 30 } },
      store: known,
      expected: [
        "warning overlap-below-skew: a asks again for 30 s before its watermark (until now 300 s), but its clock was seen 42 s off: records in between can be missed for ever.",
      ],
    },
    {
      name: "a smaller overlap that is still enough",
      after: { delta: { overlapSeconds: 60 } },
      store: known,
      expected: ["info overlap-lowered: a asks again for 60 s before its watermark instead of 300 s."],
    },
    {
      name: "no overlap, and nobody knows the skew",
      after: { delta: { overlapSeconds: 0 } },
      expected: [
        "warning overlap-lowered: a asks again for 0 s before its watermark instead of 300 s. How far its clock is off is not known.",
      ],
    },
    {
      name: "a larger overlap",
      after: { delta: { overlapSeconds: 900 } },
      expected: ["info overlap-raised: a asks again for 900 s before its watermark instead of 300 s."],
    },
    {
      name: "a server that insists on the prefix",
      after: { token: { alsoSendPrefix: true } },
      expected: [
        "info token-request-changed: a sends its prefix beside each resumption token, against OAI-PMH: a server that keeps to it refuses the list after its first page.",
      ],
    },
    {
      name: "a server that no longer insists on it",
      before: { token: { alsoSendPrefix: true } },
      expected: [
        "info token-request-changed: a no longer sends its prefix beside each resumption token: a server that insists on it refuses the list after its first page.",
      ],
    },
    {
      name: "portions",
      after: { delta: { maxWindowDays: 30 } },
      expected: [
        "info window-changed: a: a catch-up is read in portions of 30 days (delta.maxWindowDays: none → 30).",
      ],
    },
    {
      name: "no portions",
      before: { delta: { maxWindowDays: 1 } },
      expected: [
        "info window-changed: a: a catch-up is one list, which is lost when it breaks off (delta.maxWindowDays: 1 → none).",
      ],
    },
    {
      name: "tokens",
      after: { token: { cacheTtlSeconds: 60 } },
      expected: [
        "info token-lifetime-changed: a: after a crash a list is taken up again if its token is younger than 60 s (until now 15 min).",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});

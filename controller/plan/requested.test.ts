import { expect, it } from "vitest";
import { decideRequest } from "./requested.js";

const active = [{ jobName: "harvest-state-1", jobUid: "u", requested: false }];

it.each([
  ["nobody asked", { active: [] }, { kind: "none" }],
  ["nothing runs", { value: "v", active: [] }, { kind: "run", value: "v" }],
  ["one is on its way", { value: "v", active }, { kind: "wait", value: "v" }],
  ["its own Job is the one on its way", { value: "v", active, started: true }, { kind: "run", value: "v" }],
  [
    "the brake came on after it was started",
    { value: "v", held: "paused", active, started: true },
    { kind: "run", value: "v" },
  ],
  [
    "the brake is on",
    { value: "v", held: 'the source is paused ("move").', active: [] },
    {
      kind: "refuse",
      value: "v",
      sentence: 'The run asked for with "v" was not started: the source is paused ("move").',
    },
  ],
])("a requested run: %s", (_name, facts, decision) => {
  expect(decideRequest(facts)).toEqual(decision);
});

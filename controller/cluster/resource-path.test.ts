import { describe, expect, it } from "vitest";
import { ApiFault } from "../api.js";
import { resources } from "../resources.js";
import { collectionPath, objectPath } from "./resource-path.js";

describe("paths", () => {
  it.each([
    [collectionPath(resources.pod, undefined), "/api/v1/pods"],
    [collectionPath(resources.pod, "y"), "/api/v1/namespaces/y/pods"],
    [
      collectionPath(resources.cronJob, "y", { limit: 500, continue: "", labelSelector: "a=b,c" }),
      "/apis/batch/v1/namespaces/y/cronjobs?limit=500&labelSelector=a%3Db%2Cc",
    ],
    [collectionPath(resources.namespace, "ignored"), "/api/v1/namespaces"],
    [objectPath(resources.cronJob, "y/x"), "/apis/batch/v1/namespaces/y/cronjobs/x"],
    [objectPath(resources.namespace, "y"), "/api/v1/namespaces/y"],
    [
      objectPath(resources.harvestSource, "y/x", {
        subresource: "status",
        query: { fieldManager: "m", force: true, dryRun: undefined },
      }),
      "/apis/ingest.geoportal.io/v1/namespaces/y/harvestsources/x/status?fieldManager=m&force=true",
    ],
  ])("%s", (path, expected) => {
    expect(path).toBe(expected);
  });

  it.each(["y/..", "y/.", "y/", "../x", "/x", "x", "y/a/b"])("refuses the key %j", (key) => {
    expect(() => objectPath(resources.pod, key)).toThrow(ApiFault);
  });

  it("refuses a namespace for what has none", () => {
    expect(() => objectPath(resources.namespace, "y/x")).toThrow("it has no namespace");
  });
});

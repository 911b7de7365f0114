import { describe, expect, it } from "vitest";
import { describeRequest, requestInfo, type Method } from "./request-info.js";

const table: readonly (readonly [Method, string, string])[] = [
  ["GET", "/apis/batch/v1/namespaces/y/cronjobs/x", "get cronjobs.batch y/x"],
  ["GET", "/apis/batch/v1/namespaces/y/cronjobs", "list cronjobs.batch in namespace y"],
  ["GET", "/apis/batch/v1/cronjobs?limit=500", "list cronjobs.batch"],
  ["GET", "/api/v1/pods?watch=1&resourceVersion=5", "watch pods"],
  ["GET", "/api/v1/namespaces/y/pods?watch=true", "watch pods in namespace y"],
  ["GET", "/api/v1/namespaces/y/pods?watch=false", "list pods in namespace y"],
  ["GET", "/api/v1/namespaces/y/pods/p/log?follow=true", "get pods/log y/p"],
  ["POST", "/api/v1/namespaces/y/configmaps", "create configmaps in namespace y"],
  ["PUT", "/apis/coordination.k8s.io/v1/namespaces/y/leases/l", "update leases.coordination.k8s.io y/l"],
  [
    "PATCH",
    "/apis/ingest.geoportal.io/v1/namespaces/y/harvestsources/x/status",
    "patch harvestsources.ingest.geoportal.io/status y/x",
  ],
  ["DELETE", "/api/v1/namespaces/y/pods/p", "delete pods y/p"],
  ["DELETE", "/api/v1/namespaces/y/pods", "deletecollection pods in namespace y"],
  ["GET", "/api/v1/namespaces", "list namespaces"],
  ["GET", "/api/v1/namespaces/y", "get namespaces y"],
  ["PUT", "/api/v1/namespaces/y/finalize", "update namespaces/finalize y"],
  ["GET", "/version", "get /version"],
  ["GET", "/api/v1", "get /api/v1"],
  [
    "POST",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    "create selfsubjectaccessreviews.authorization.k8s.io",
  ],
  ["GET", "/api/v1/namespaces/y/pods/a%20b", "get pods y/a b"],
];

describe("requestInfo", () => {
  it.each(table)("%s %s: %s", (method, path, expected) => {
    expect(describeRequest(requestInfo(method, path))).toBe(expected);
  });
});

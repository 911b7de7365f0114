import { describe, expect, it } from "vitest";
import { answerFailed } from "./api-faults.js";
import { requestInfo, type Method } from "./request-info.js";

interface Given {
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

function fault({ method, path, status, body }: Given) {
  const text = typeof body === "string" ? body : JSON.stringify({ kind: "Status", ...(body as object) });
  const scene = { info: requestInfo(method, path), origin: "https://h" };
  return answerFailed(scene, { status, body: text, retryAfterMs: undefined }).fault;
}

const cronJob = "/apis/batch/v1/namespaces/y/cronjobs/x";

describe("answers that are no success", () => {
  it.each([
    {
      name: "a service account without the verb",
      given: {
        method: "PATCH",
        path: cronJob,
        status: 403,
        body: {
          message:
            'cronjobs.batch "x" is forbidden: User "system:serviceaccount:harvest:controller" cannot patch resource "cronjobs" in API group "batch" in the namespace "y"',
          reason: "Forbidden",
        },
      },
      expect:
        "The service account harvest/controller may not patch cronjobs.batch in namespace y: apply manifests/install, or give it that verb in a Role.",
      reason: "Forbidden",
    },
    {
      name: "the same in the whole cluster",
      given: {
        method: "GET",
        path: "/apis/batch/v1/cronjobs?watch=1",
        status: 403,
        body: {
          message:
            'cronjobs.batch is forbidden: User "system:serviceaccount:harvest:controller" cannot watch resource "cronjobs" in API group "batch" at the cluster scope',
          reason: "Forbidden",
        },
      },
      expect:
        "The service account harvest/controller may not watch cronjobs.batch in the whole cluster: apply manifests/install, or give it that verb in a ClusterRole.",
      reason: "Forbidden",
    },
    {
      name: "a person without the verb",
      given: {
        method: "GET",
        path: "/api/v1/namespaces/y/pods/p/log",
        status: 403,
        body: {
          message: 'pods "p" is forbidden: User "ada" cannot get resource "pods/log"',
          reason: "Forbidden",
        },
      },
      expect:
        "The user ada may not get pods/log in namespace y: ask for that verb in a Role bound to that user.",
      reason: "Forbidden",
    },
    {
      name: "nobody",
      given: {
        method: "GET",
        path: "/api/v1/pods",
        status: 403,
        body: { message: 'pods is forbidden: User "system:anonymous" cannot list resource "pods"' },
      },
      expect:
        "The API server takes us for nobody (system:anonymous), who may not list pods in the whole cluster. Give the kubeconfig's user credentials.",
      reason: "Forbidden",
    },
    {
      name: "an admission rule",
      given: {
        method: "PATCH",
        path: cronJob,
        status: 403,
        body: { message: 'cronjobs.batch "x" is forbidden: exceeded quota: a.', reason: "Forbidden" },
      },
      expect:
        'The API server forbids to patch cronjobs.batch y/x: cronjobs.batch "x" is forbidden: exceeded quota: a. An admission rule, a quota or a namespace that is being deleted says no: its words name which.',
      reason: "Forbidden",
    },
    {
      name: "the CRD is missing",
      given: {
        method: "GET",
        path: "/apis/ingest.geoportal.io/v1/harvestsources",
        status: 404,
        body: "404 page not found\n",
      },
      expect:
        "The API server has no harvestsources.ingest.geoportal.io (to list harvestsources.ingest.geoportal.io): its CRD is not installed, or is older. Apply crds/ and manifests/install.",
      reason: "KindNotServed",
    },
    {
      name: "the object is missing",
      given: {
        method: "PATCH",
        path: cronJob,
        status: 404,
        body: { reason: "NotFound", message: 'cronjobs.batch "x" not found', details: { kind: "cronjobs" } },
      },
      expect: "Cannot patch cronjobs.batch y/x: it is not there (any more).",
      reason: "NotFound",
    },
    {
      name: "the namespace is missing",
      given: {
        method: "PATCH",
        path: cronJob,
        status: 404,
        body: {
          reason: "NotFound",
          message: 'namespaces "y" not found',
          details: { kind: "namespaces", name: "y" },
        },
      },
      expect: "Cannot patch cronjobs.batch y/x: there is no namespace y. Create it, or choose another.",
      reason: "NotFound",
    },
    {
      name: "fields of another manager",
      given: {
        method: "PATCH",
        path: cronJob,
        status: 409,
        body: {
          reason: "Conflict",
          message: "Apply failed with 1 conflict",
          details: {
            causes: [
              {
                reason: "FieldManagerConflict",
                message: 'conflict with "kubectl" using v1',
                field: ".spec.suspend",
              },
            ],
          },
        },
      },
      expect:
        'Did not patch cronjobs.batch y/x: others own the fields .spec.suspend ("kubectl" using v1). Leave them out, or take them with force.',
      reason: "Conflict",
    },
    {
      name: "invalid, with its fields",
      given: {
        method: "PATCH",
        path: cronJob,
        status: 422,
        body: {
          reason: "Invalid",
          message: "whole text",
          details: {
            causes: [
              { reason: "FieldValueInvalid", message: 'Invalid value: "x": no cron', field: "spec.schedule" },
              { reason: "FieldValueRequired", message: "Required value", field: "spec.jobTemplate" },
            ],
          },
        },
      },
      expect:
        'The API server refused to patch cronjobs.batch y/x as invalid: spec.schedule: Invalid value: "x": no cron; spec.jobTemplate: Required value.',
      reason: "Invalid",
    },
    {
      name: "a field the server does not know",
      given: {
        method: "PATCH",
        path: cronJob,
        status: 500,
        body: {
          message:
            "failed to create typed patch object (y/x; batch/v1, Kind=CronJob): .spec.zone: field not declared in schema",
        },
      },
      expect:
        "The API server refused to patch cronjobs.batch y/x: it does not know the field .spec.zone. Correct the name, or upgrade the cluster or its CRD.",
      reason: "FieldUnknown",
    },
    {
      name: "not our credentials",
      given: {
        method: "GET",
        path: cronJob,
        status: 401,
        body: { reason: "Unauthorized", message: "Unauthorized" },
      },
      expect:
        "The API server does not accept our credentials (to get cronjobs.batch y/x): the token or certificate is wrong or has expired. Log in again, or renew the service account's token.",
      reason: "Unauthorized",
    },
    {
      name: "a proxy's page",
      given: { method: "GET", path: cronJob, status: 502, body: "<html>secret of the page</html>" },
      expect:
        "The API server, or a proxy before it, did not get cronjobs.batch y/x: 502 BadGateway. If it stays, look at the API server's health and log.",
      reason: "BadGateway",
    },
  ] as const)("$name", ({ given, expect: expected, reason }) => {
    const told = fault(given);
    expect(told.message).toBe(expected);
    expect(told).toMatchObject({ status: given.status, reason });
  });

  it("takes the wait from the body when no header has it", () => {
    const body = { reason: "TooManyRequests", details: { retryAfterSeconds: 3 } };
    expect(fault({ method: "GET", path: cronJob, status: 429, body }).detail.retryAfterSeconds).toBe(3);
  });

  it("bounds what the server says", () => {
    const body = { reason: "Conflict", message: `a\u0000b\n${"x".repeat(100_000)}` };
    const { message } = fault({ method: "GET", path: cronJob, status: 409, body });
    expect(message.length).toBeLessThan(2200);
    expect(message).toContain("a b xxx");
  });
});

/** Asks the API server itself what an account may do, as `kubectl auth can-i --as` does. */
import type { Http } from "./cluster-http.js";

export interface Question {
  readonly verb: string;
  /** `resource`, `resource/subresource` or `resource.group`; `*` is what it is in RBAC. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** `user` as RBAC names it; a service account is in the groups it has by itself. */
export async function may(http: Http, user: string, question: Question): Promise<boolean> {
  const [whole = "", subresource] = question.resource.split("/");
  const dot = whole.indexOf(".");
  const [, , namespace] = user.split(":");
  const groups = user.startsWith("system:serviceaccount:")
    ? ["system:serviceaccounts", `system:serviceaccounts:${namespace ?? ""}`, "system:authenticated"]
    : ["system:authenticated"];
  const answer = await http("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user,
        groups,
        resourceAttributes: {
          verb: question.verb,
          resource: dot < 0 ? whole : whole.slice(0, dot),
          group: dot < 0 ? "" : whole.slice(dot + 1),
          ...(subresource === undefined ? {} : { subresource }),
          ...(question.namespace === undefined ? {} : { namespace: question.namespace }),
          ...(question.name === undefined ? {} : { name: question.name }),
        },
      },
    },
  });
  const { allowed } = (answer.json?.["status"] ?? {}) as { allowed?: boolean };
  if (allowed === undefined) throw new Error(`The API server gave no answer about ${user}: ${answer.text}`);
  return allowed;
}

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
  const answer = await http("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user, groups: groupsOf(user), resourceAttributes: attributesOf(question) },
    },
  });
  const { allowed } = (answer.json?.["status"] ?? {}) as { allowed?: boolean };
  if (allowed === undefined) throw new Error(`The API server gave no answer about ${user}: ${answer.text}`);
  return allowed;
}

function groupsOf(user: string): readonly string[] {
  const [, account, namespace = ""] = user.split(":");
  return account === "serviceaccount"
    ? ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"]
    : ["system:authenticated"];
}

/** What is undefined is left out of the JSON. */
function attributesOf({ verb, resource, namespace, name }: Question): object {
  const [whole = "", subresource] = resource.split("/");
  const [plural, ...group] = whole.split(".");
  return { verb, resource: plural, group: group.join("."), subresource, namespace, name };
}

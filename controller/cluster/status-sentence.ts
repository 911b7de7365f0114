/** Answers that are no success, as sentences for people: what was asked, why not, what next. Pure. */
import { describeRequest, type RequestInfo } from "./request-info.js";
import type { ServerStatus } from "./server-status.js";

export interface Answered {
  readonly status: number;
  readonly said: ServerStatus;
  readonly info: RequestInfo;
}

export function statusSentence(answered: Answered): string {
  return (sentences[answered.status] ?? other)(answered);
}

type Teller = (answered: Answered) => string;

const sentences: Readonly<Record<number, Teller>> = {
  401: ({ info }) =>
    `The API server does not accept our credentials (to ${describeRequest(info)}): the token or certificate is wrong or has expired. Log in again, or renew the service account's token.`,
  403: forbidden,
  404: notFound,
  409: conflict,
  410: ({ info }) =>
    `Cannot ${describeRequest(info)} from where it was left: the server has forgotten that version. List again from the start.`,
  413: ({ info }) =>
    `The API server refused to ${describeRequest(info)}: the object is too large. Objects may have about 1.5 MiB.`,
  422: invalid,
  429: ({ info, said }) =>
    `The API server is too busy to ${describeRequest(info)}${quote(said)}. It is asked again later; if it stays, look at its API Priority and Fairness.`,
  500: serverFault,
};

function forbidden({ info, said }: Answered): string {
  const who = /User "([^"]*)" cannot /.exec(said.message)?.[1];
  if (who === undefined)
    return `The API server forbids to ${describeRequest(info)}${quote(said)}. An admission rule, a quota or a namespace that is being deleted says no: its words name which.`;
  if (who === "system:anonymous")
    return `The API server takes us for nobody (system:anonymous), who may not ${permission(info)}. Give the kubeconfig's user credentials.`;
  const account = /^system:serviceaccount:([^:]+):(.+)$/.exec(who);
  const roleKind = info.namespace === undefined ? "ClusterRole" : "Role";
  if (account === null)
    return `The user ${who} may not ${permission(info)}: ask for that verb in a ${roleKind} bound to that user.`;
  return `The service account ${account[1] ?? ""}/${account[2] ?? ""} may not ${permission(info)}: apply manifests/install, or give it that verb in a ${roleKind}.`;
}

function permission({ verb, resource, namespace }: RequestInfo): string {
  const where = namespace === undefined ? "in the whole cluster" : `in namespace ${namespace}`;
  return `${verb} ${resource} ${where}`;
}

function notFound({ info, said }: Answered): string {
  if (info.resource.startsWith("/")) return `The API server has nothing at ${info.resource}.`;
  if (isKindMissing(said))
    return `The API server has no ${info.resource} (to ${describeRequest(info)})${customHint(info)}.`;
  if (said.kind === "namespaces")
    return `Cannot ${describeRequest(info)}: there is no namespace ${said.name ?? ""}. Create it, or choose another.`;
  return `Cannot ${describeRequest(info)}: it is not there (any more).`;
}

/** Not the object is missing but the kind: its CRD is not installed, or not in this version. */
export function isKindMissing(said: ServerStatus): boolean {
  return !said.genuine || said.message === "the server could not find the requested resource";
}

function customHint({ resource }: RequestInfo): string {
  return resource.includes(".geoportal.io")
    ? ": its CRD is not installed, or is older. Apply crds/ and manifests/install"
    : ": the kind is not installed, or not in this version";
}

function conflict({ info, said }: Answered): string {
  const managers = said.causes.filter(({ reason }) => reason === "FieldManagerConflict");
  if (managers.length > 0) {
    const fields = managers
      .slice(0, 5)
      .map(({ field, message }) => `${field} (${message.replace(/^conflict with /, "")})`);
    const more = managers.length > 5 ? `, and ${String(managers.length - 5)} more` : "";
    return `Did not ${describeRequest(info)}: others own the fields ${fields.join(", ")}${more}. Leave them out, or take them with force.`;
  }
  if (said.reason === "AlreadyExists") return `Did not ${describeRequest(info)}: it is already there.`;
  return `Did not ${describeRequest(info)}: it was changed meanwhile${quote(said)}. Read it again and decide anew.`;
}

function invalid({ info, said }: Answered): string {
  const causes = said.causes
    .slice(0, 5)
    .map(({ field, message }) => `${field === "" ? "" : `${field}: `}${message}`);
  const more = said.causes.length > 5 ? ` (and ${String(said.causes.length - 5)} more)` : "";
  const what = causes.length > 0 ? `: ${causes.join("; ")}${more}` : quote(said);
  return `The API server refused to ${describeRequest(info)} as invalid${what}.`;
}

function serverFault(answered: Answered): string {
  const { info, said } = answered;
  const field = /: (\S+): field not declared in schema/.exec(said.message)?.[1];
  if (field === undefined) return other(answered);
  return `The API server refused to ${describeRequest(info)}: it does not know the field ${field}. Correct the name, or upgrade the cluster or its CRD.`;
}

function other({ status, info, said }: Answered): string {
  const source = said.genuine ? "The API server" : "The API server, or a proxy before it,";
  const next = status >= 500 ? " If it stays, look at the API server's health and log." : "";
  return `${source} did not ${describeRequest(info)}: ${String(status)} ${said.reason}${quote(said)}.${next}`;
}

/** The server's own words, as a part of a sentence. */
function quote({ message }: ServerStatus): string {
  const text = message.trim().replace(/\.$/, "");
  return text === "" ? "" : `: ${text}`;
}

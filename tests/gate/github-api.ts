/**
 * A stand-in of the parts of GitHub's REST API that the gate uses: comments with pages, artefacts behind a redirect, open
 * pull requests, tokens with permissions, rate limits. A real HTTP server that remembers what it was asked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
  /** How often it was changed since. */
  edits: number;
}

export interface PullRequest {
  readonly number: number;
  readonly head: {
    readonly label: string;
    readonly sha: string;
    readonly repo: { readonly id: number; readonly full_name: string };
  };
}

export interface Token {
  readonly login: string;
  readonly pullRequests: "read" | "write";
  readonly actions: "none" | "read";
}

/** An answer in place of the real one, once. `done`: the request is carried out all the same. */
export interface Fault {
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly done?: boolean;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorized: boolean;
}

export interface GithubApi {
  readonly url: string;
  /** By number of pull request. */
  readonly comments: Map<number, Comment[]>;
  readonly tokens: Map<string, Token>;
  readonly pulls: PullRequest[];
  readonly faults: Fault[];
  readonly asked: Asked[];
  /** Keeps an archive as an artefact of a run. */
  addArtifact(runId: number, name: string, archive: Buffer): void;
  close(): Promise<void>;
}

interface Artifact {
  readonly id: number;
  readonly runId: number;
  readonly name: string;
  readonly archive: Buffer;
}

export async function startGithubApi(repository: string): Promise<GithubApi> {
  const state = new State(repository);
  const server = createServer((request, response) => {
    void answer(state, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return Object.assign(state, {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  });
}

class State {
  url = "";
  readonly comments = new Map<number, Comment[]>();
  readonly tokens = new Map<string, Token>();
  readonly pulls: PullRequest[] = [];
  readonly faults: Fault[] = [];
  readonly asked: Asked[] = [];
  readonly artifacts: Artifact[] = [];
  readonly repository: string;
  #next = 1000;

  constructor(repository: string) {
    this.repository = repository;
  }

  nextId(): number {
    this.#next += 1;
    return this.#next;
  }

  addArtifact(runId: number, name: string, archive: Buffer): void {
    this.artifacts.push({ id: this.nextId(), runId, name, archive });
  }
}

interface Question {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: { readonly body?: string };
  readonly token: Token | undefined;
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", state.url);
  const bearer = request.headers.authorization?.replace(/^Bearer /, "");
  const question: Question = {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    body: await bodyOf(request),
    token: bearer === undefined ? undefined : state.tokens.get(bearer),
  };
  const authorized = bearer !== undefined;
  state.asked.push({ method: question.method, path: `${url.pathname}${url.search}`, authorized });
  const fault = takeFault(state, question);
  const real = fault === undefined || fault.done === true ? reply(state, question, authorized) : undefined;
  send(response, fault === undefined ? (real ?? missing) : { body: '{"message":"fault"}', ...fault });
}

async function bodyOf(request: IncomingMessage): Promise<Question["body"]> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Question["body"]);
}

function takeFault(state: State, { method, path }: Question): Fault | undefined {
  const at = state.faults.findIndex((fault) => fault.method === method && fault.path.test(path));
  return at === -1 ? undefined : state.faults.splice(at, 1)[0];
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const raw = Buffer.isBuffer(body) || typeof body === "string";
  response.writeHead(status, {
    "content-type": raw ? "application/octet-stream" : "application/json",
    ...headers,
  });
  response.end(raw ? body : JSON.stringify(body));
}

const refused: Reply = { status: 403, body: { message: "Resource not accessible by integration" } };
const missing: Reply = { status: 404, body: { message: "Not Found" } };

function reply(state: State, question: Question, authorized: boolean): Reply {
  const { path, token } = question;
  // The store of archives is another service: a token shown to it has leaked.
  const store = /^\/store\/(\d+)$/.exec(path);
  if (store !== null)
    return authorized ? { status: 400, body: "a token" } : archiveOf(state, Number(store[1]));
  if (token === undefined) return { status: 401, body: { message: "Bad credentials" } };
  const prefix = `/repos/${state.repository}`;
  if (!path.startsWith(prefix)) return missing;
  const rest = path.slice(prefix.length);
  if (rest.startsWith("/actions/"))
    return token.actions === "read" ? actions(state, rest, question) : refused;
  if (rest === "/pulls")
    return { status: 200, body: state.pulls.filter(({ head }) => head.label === question.query.get("head")) };
  return comments(state, rest, question);
}

function archiveOf(state: State, id: number): Reply {
  const found = state.artifacts.find((artifact) => artifact.id === id);
  return found === undefined ? missing : { status: 200, body: found.archive };
}

function actions(state: State, rest: string, { query }: Question): Reply {
  const run = /^\/actions\/runs\/(\d+)\/artifacts$/.exec(rest);
  if (run !== null) {
    const found = state.artifacts
      .filter(({ runId, name }) => runId === Number(run[1]) && name === query.get("name"))
      .map(({ id, name, archive }) => ({ id, name, size_in_bytes: archive.length, expired: false }));
    return { status: 200, body: { total_count: found.length, artifacts: found } };
  }
  const zip = /^\/actions\/artifacts\/(\d+)\/zip$/.exec(rest);
  return zip === null ? missing : { status: 302, headers: { location: `/store/${zip[1] ?? ""}` }, body: "" };
}

function comments(state: State, rest: string, question: Question): Reply {
  const list = /^\/issues\/(\d+)\/comments$/.exec(rest);
  if (list !== null && question.method === "GET") return pageOf(state, Number(list[1]), question);
  return question.token?.pullRequests === "write" ? write(state, { rest, list }, question) : refused;
}

function write(
  state: State,
  { rest, list }: { readonly rest: string; readonly list: RegExpExecArray | null },
  { method, body, token }: Question,
): Reply {
  const text = body.body ?? "";
  if (list !== null && method === "POST")
    return create(state, Number(list[1]), { body: text, login: token?.login ?? "" });
  return method === "PATCH" ? change(state, rest, text) : missing;
}

function create(state: State, number: number, { body, login }: { body: string; login: string }): Reply {
  const made = { id: state.nextId(), body, user: { login }, edits: 0 };
  state.comments.set(number, [...(state.comments.get(number) ?? []), made]);
  return { status: 201, body: made };
}

function pageOf(state: State, number: number, { query }: Question): Reply {
  const all = state.comments.get(number) ?? [];
  const [size, page] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)];
  return { status: 200, body: all.slice((page - 1) * size, page * size) };
}

function change(state: State, rest: string, body: string): Reply {
  const id = Number(/^\/issues\/comments\/(\d+)$/.exec(rest)?.[1]);
  const found = [...state.comments.values()].flat().find((comment) => comment.id === id);
  if (found === undefined) return missing;
  found.body = body;
  found.edits += 1;
  return { status: 200, body: found };
}

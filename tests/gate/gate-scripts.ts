/** The scripts of the action, with types: they are plain JavaScript, because the job that posts installs nothing. */
import { join } from "node:path";
import { repositoryRoot } from "../house/scratch-house.js";

export const actionFolder = join(repositoryRoot, ".github/actions/harvest-gate");

export interface PlacedComment {
  readonly id: number;
  readonly body: string;
  readonly ours: boolean;
}

export interface CommentPlace {
  list(page: number, size: number): Promise<readonly PlacedComment[]>;
  create(body: string): Promise<unknown>;
  update(id: number, body: string): Promise<unknown>;
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>;

export type Target =
  | {
      readonly kind: "found";
      readonly number: number;
      readonly runId: number;
      readonly runUrl: string;
      readonly fork?: string;
    }
  | { readonly kind: "none"; readonly why: string };

export interface ComposedReport {
  readonly verdict: string;
  readonly report: string;
  readonly summary: string;
}

export interface RanStep {
  readonly name: string;
  readonly title: string;
  readonly code: number;
  readonly text: string;
}

function load<T>(name: string): Promise<T> {
  return import(join(actionFolder, "scripts", name)) as Promise<T>;
}

export const { affectedFiles } = await load<{
  affectedFiles(review: unknown): string[] | undefined;
}>("affected.mjs");
export const { askApi, ApiFailure } = await load<{
  askApi(api: { base: string; headers: Record<string, string> }): Ask;
  ApiFailure: new (
    sentence: string,
    facts: { status: number; unknown?: boolean },
  ) => Error & { status: number; unknown: boolean };
}>("ask-api.mjs");
export const { commentBody } = await load<{
  commentBody(report: string, facts: { runUrl: string; fork?: string }): string;
}>("comment-body.mjs");
export const { composeReport } = await load<{
  composeReport(found: {
    steps: readonly RanStep[];
    review: string;
    warnings: number;
    failOn: string;
  }): ComposedReport;
}>("compose-report.mjs");
export const { findPullRequest } = await load<{
  findPullRequest(
    run: { name: string; event: unknown; repository: string; runId: number; serverUrl: string },
    ask: Ask,
  ): Promise<Target>;
}>("find-pull-request.mjs");
export const { readZipEntry } = await load<{
  readZipEntry(archive: Buffer, name: string, most: number): Buffer;
}>("read-zip.mjs");
export const { keepOneComment, marker } = await load<{
  keepOneComment(place: CommentPlace, body: string): Promise<string>;
  marker: string;
}>("sticky-comment.mjs");

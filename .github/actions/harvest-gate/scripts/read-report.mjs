/** The report of a run, out of the artefact it left. */
import { ApiFailure, boundedBytes } from "./ask-api.mjs";
import { readZipEntry } from "./read-zip.mjs";

const { AbortSignal, fetch } = globalThis;
const mostArchiveBytes = 8 * 1024 * 1024;
/** 60,000 characters in UTF-8, and some. */
const mostReportBytes = 512 * 1024;

/**
 * @param {{ ask: Function, api: string, headers: Record<string, string>, repository: string }} github
 * @param {{ runId: number, artifact: string, file: string }} which
 * @returns {Promise<string | undefined>} undefined = the run left none (it was cancelled, or failed before)
 */
export async function readReport(github, { runId, artifact, file }) {
  const name = encodeURIComponent(artifact);
  const path = `/repos/${github.repository}/actions/runs/${String(runId)}/artifacts?per_page=100&name=${name}`;
  const { artifacts } = await github.ask("GET", path);
  const usable = artifacts.filter((one) => one.name === artifact && !one.expired);
  // A run that was started again leaves one more: the newest is meant.
  const newest = usable.sort((a, b) => b.id - a.id)[0];
  if (newest === undefined) return undefined;
  if (newest.size_in_bytes > mostArchiveBytes)
    throw new Error(
      `The artefact has ${String(newest.size_in_bytes)} bytes; ${String(mostArchiveBytes)} are allowed.`,
    );
  const archive = await download(github, newest.id);
  return readZipEntry(archive, file, mostReportBytes).toString("utf8");
}

/** The API answers with the address of a store elsewhere, which must not see the token. */
async function download({ api, headers, repository }, id) {
  const address = `${api}/repos/${repository}/actions/artifacts/${String(Number(id))}/zip`;
  const told = await fetch(address, { headers, redirect: "manual", signal: AbortSignal.timeout(30_000) });
  const location = told.headers.get("location");
  if (told.status !== 302 || location === null)
    throw new ApiFailure(`GET artefact: answered ${String(told.status)}`, { status: told.status });
  const store = new URL(location, address);
  if (store.protocol !== "https:" && store.protocol !== new URL(api).protocol)
    throw new Error("The artefact's address is not https.");
  const response = await fetch(store, { redirect: "error", signal: AbortSignal.timeout(60_000) });
  if (!response.ok)
    throw new ApiFailure(`GET artefact: its store answered ${String(response.status)}`, {
      status: response.status,
    });
  return boundedBytes(response, mostArchiveBytes);
}

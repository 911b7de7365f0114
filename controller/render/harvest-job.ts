import { annotations, configMapName, requestedJobName } from "../names.js";
import type { KubeObject } from "../object.js";
import { resources } from "../resources.js";
import { childObject, hashOf } from "./child-object.js";
import { specHashOf } from "./config-map.js";
import { harvestEnvironment } from "./environment.js";
import { jobSpec } from "./job-spec.js";
import { configMapFiles, databaseFiles, paths, secretFiles, temporaryFiles, workFiles } from "./pod-files.js";
import { podTemplate, type PodParts } from "./pod-template.js";
import type { RenderInput } from "./render-input.js";

/**
 * The agency comes first: a run that the source broke off, refused or did not answer (65, 69, 75, 77), that took as long as
 * it may (75), or that would end the same again (70, 78) is not repeated before its next time. What is left is repeated once:
 * a store that failed (74), because then nothing is asked before the store is back; a pod that was lost or killed.
 */
const FINAL_CODES = [65, 69, 70, 75, 77, 78];
const RETRIES = 1;

/** Beyond limits.maxRunSeconds, when the run ends itself: to be scheduled, to pull the image, for the last batch. */
const MARGIN_SECONDS = 600;

/** Long enough for a controller that was away over night to read how it ended. */
const REQUESTED_KEPT_SECONDS = 24 * 60 * 60;

const COMMAND = ["node", "/app/dist/harvester/main.js"];
/** An annotation's value may be as long as it likes; what is told back of it may not. */
const MAX_TOLD = 256;

/** The Job of one harvest, as its CronJob makes it (`scheduled`) or as it stands alone (`requested`). */
export function harvestJobSpec(input: RenderInput, role: "scheduled" | "requested"): object {
  return jobSpec({
    template: podTemplate(input.source, input.settings, harvestPod(input, role)),
    deadlineSeconds: input.source.spec.limits.maxRunSeconds + MARGIN_SECONDS,
    retries: RETRIES,
    finalCodes: FINAL_CODES,
    ...(role === "requested" && { keptSeconds: REQUESTED_KEPT_SECONDS }),
  });
}

/** Which policy a run was given: on its Job and its Pod. */
export function policyNote({ bundle }: RenderInput): Readonly<Record<string, string>> {
  return { [annotations.bundleDigest]: bundle.digest };
}

/** One run now. `requestedAt`: the annotation's value; the same value gives the same name, so that none runs twice. */
export function renderRequestedJob(input: RenderInput, requestedAt: string): KubeObject {
  return childObject(input.source, {
    resource: resources.job,
    name: requestedJobName(input.source.metadata.name, hashOf(requestedAt)),
    role: "requested",
    annotations: { ...policyNote(input), [annotations.requestedAt]: requestedAt.slice(0, MAX_TOLD) },
    content: { spec: harvestJobSpec(input, "requested") },
  });
}

function harvestPod(input: RenderInput, role: PodParts["role"]): PodParts {
  const { source, bundle, settings } = input;
  const manifest = configMapName(source.metadata.name, specHashOf(source));
  return {
    role,
    annotations: policyNote(input),
    command: COMMAND,
    env: harvestEnvironment(input),
    files: [
      configMapFiles("source", { configMap: manifest, mountPath: paths.source }),
      configMapFiles("bundle", { configMap: bundle.name, mountPath: paths.bundle }),
      databaseFiles(settings.databaseSecret),
      ...secretFiles(source),
      workFiles,
      temporaryFiles,
    ],
  };
}

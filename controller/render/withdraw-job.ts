import { withdrawJobName } from "../names.js";
import type { KubeObject } from "../object.js";
import { resources } from "../resources.js";
import { childObject } from "./child-object.js";
import { manifestFile, resolvedManifest } from "./config-map.js";
import { withdrawEnvironment } from "./environment.js";
import { jobSpec } from "./job-spec.js";
import { annotatedManifestFiles, databaseFiles, manifestAnnotation, temporaryFiles } from "./pod-files.js";
import { podTemplate } from "./pod-template.js";
import type { WithdrawInput } from "./render-input.js";

/** Our fault and a bad configuration end the same again; a database that is away comes back. */
const FINAL_CODES = [70, 78];
/** With the Job controller's back-off (10 s, doubled) the last pod starts about 10 minutes after the first. */
const RETRIES = 6;
const DEADLINE_SECONDS = 60 * 60;
const KEPT_SECONDS = 24 * 60 * 60;

const COMMAND = ["node", "/app/dist/harvester/withdraw.js"];

/**
 * Withdraws all records of a source that is being deleted. It needs nothing but the database's secret: ConfigMap, bundle and
 * certificates may have gone already (Argo CD deletes in the foreground: children first), so the pod carries its manifest.
 */
export function renderWithdrawJob({ source, settings }: WithdrawInput): KubeObject {
  const { name, uid = "" } = source.metadata;
  const template = podTemplate(source, settings, {
    role: "withdraw",
    annotations: { [manifestAnnotation]: resolvedManifest(source) },
    command: COMMAND,
    env: withdrawEnvironment(source),
    files: [annotatedManifestFiles(manifestFile), databaseFiles(settings.databaseSecret), temporaryFiles],
  });
  return childObject(source, {
    resource: resources.job,
    name: withdrawJobName(name, uid),
    role: "withdraw",
    content: {
      spec: jobSpec({
        template,
        deadlineSeconds: DEADLINE_SECONDS,
        retries: RETRIES,
        finalCodes: FINAL_CODES,
        keptSeconds: KEPT_SECONDS,
      }),
    },
  });
}

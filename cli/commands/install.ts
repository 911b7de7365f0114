import { Flags } from "@oclif/core";
import { Fault } from "../../harvester/fault.js";
import { fairUsePath } from "../../source/fair-use.js";
import { BaseCommand, rootFlag } from "../base-command.js";
import { readPolicyFolder } from "../bundle-files.js";
import { bundleObjects } from "../bundle-objects.js";
import { installNotes } from "../format/install.js";
import { manifestText, readInstallFiles } from "../install-files.js";
import {
  defaultNamespace,
  installObjects,
  installShapes,
  type InstallObject,
  type InstallShape,
} from "../install-objects.js";

export default class Install extends BaseCommand {
  static override summary = "Print everything the controller needs in a cluster, with your policy in it.";
  static override description = `Writes one YAML text for kubectl apply --server-side -f -: definition, controller, rights, admission policies, network policies, and schemas/ and rules/ of the policy root as bundle and ceilings. It changes no cluster. docs/install.md tells what else a cluster needs, and how to do the same with kustomize.

Exit codes: 0 printed, 2 it could not be done.`;
  static override examples = [
    "<%= config.bin %> install --print | kubectl apply --server-side -f -",
    "<%= config.bin %> install --print --namespace geo --image-controller ghcr.io/geoportal/harvest-controller@sha256:… --image-harvester ghcr.io/geoportal/harvester@sha256:…",
    "<%= config.bin %> install --print --overlay high-availability",
    "<%= config.bin %> install --print --overlay source-namespace --namespace geo",
  ];
  static override flags = {
    ...rootFlag,
    print: Flags.boolean({ summary: "Print it: there is no other way yet.", required: true }),
    overlay: Flags.string({
      summary:
        "namespaced = controller and sources in one namespace; cluster-wide, high-availability = sources anywhere; source-namespace = what each namespace with sources needs beside those two.",
      options: [...installShapes],
      default: "namespaced",
    }),
    namespace: Flags.string({
      char: "n",
      summary: "Namespace it goes to. Default: harvest, or harvest-system for the cluster-wide ones.",
    }),
    "image-controller": Flags.string({ summary: "Image of the controller, by digest." }),
    "image-harvester": Flags.string({ summary: "Image of the harvest pods, by digest." }),
  };

  async run(): Promise<{ readonly objects: readonly InstallObject[] }> {
    const { flags } = await this.parse(Install);
    const shape = flags.overlay as InstallShape;
    const namespace = namespaceFor(shape, flags.namespace);
    const images = {
      controller: imageOf("image-controller", flags["image-controller"]),
      harvester: imageOf("image-harvester", flags["image-harvester"]),
    };
    const { files, warnings } = await readPolicyFolder(flags.root);
    const fairUse = files.has(fairUsePath);
    const { objects: policy } = bundleObjects({ files, namespace, fairUse, kustomize: false });
    const install = await readInstallFiles(this.config.root, shape);
    const objects = installObjects({ shape, namespace, images, policy, ...install });
    if (!this.jsonEnabled()) process.stdout.write(manifestText(objects));
    for (const note of installNotes({ shape, namespace, images, fairUse, warnings })) this.logToStderr(note);
    return { objects };
  }
}

function namespaceFor(shape: InstallShape, given: string | undefined): string {
  const namespace = given ?? defaultNamespace[shape];
  if (namespace === undefined)
    throw new Fault("config", {
      code: "NoNamespace",
      sentence: "Which namespace with sources is meant is not said.",
      remedy: "Name it with --namespace.",
    });
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)) return namespace;
  throw new Fault("config", {
    code: "BadNamespace",
    sentence: `${JSON.stringify(namespace.slice(0, 100))} can be no namespace.`,
    remedy: "A namespace has at most 63 lower-case letters, digits and dashes.",
  });
}

function imageOf(flag: string, given: string | undefined): string | undefined {
  if (given === undefined || /^[a-z0-9][A-Za-z0-9._:/@-]{0,511}$/.test(given)) return given;
  throw new Fault("config", {
    code: "BadImage",
    sentence: `--${flag} ${JSON.stringify(given.slice(0, 100))} is no name of an image.`,
    remedy: "Write registry/name@sha256:digest.",
  });
}

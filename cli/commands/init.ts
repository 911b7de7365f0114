import { Args, Flags } from "@oclif/core";
import { BaseCommand } from "../base-command.js";
import { fillIn, parseAction, parseOwner } from "../init/fill-in.js";
import { initText, nextSteps } from "../init/next-steps.js";
import { forges, readPackageFiles } from "../init/package-files.js";
import { writeScaffold, type Written } from "../init/write-scaffold.js";

interface InitResult extends Written {
  readonly folder: string;
  readonly next: readonly string[];
}

export default class Init extends BaseCommand {
  static override summary = "Start a repository of harvest policy.";
  static override description = `Writes everything a policy repository needs: example sources, schemas and rules as shipped with this program, fair-use ceilings, fixtures, the check of pull requests, CODEOWNERS, pre-commit, and settings for editors. lint, dry-run, validate-fixtures and diff pass in it at once. docs/pull-requests.md explains the check.

Exit codes: 0 written, 2 it could not be done; then nothing was written.`;
  static override examples = [
    "<%= config.bin %> init harvest-policy",
    "<%= config.bin %> init harvest-policy --owner @geo/harvest-owners --action geo/harvest-controller@0123456789abcdef0123456789abcdef01234567",
    "<%= config.bin %> init harvest-policy --forge gitlab",
  ];
  static override args = {
    folder: Args.string({ description: "Where it goes; made when it is missing.", default: "." }),
  };
  static override flags = {
    forge: Flags.option({ options: forges })({ summary: "Where changes are reviewed.", default: "github" }),
    action: Flags.string({ summary: "Repository and commit of the gate, as OWNER/NAME@COMMIT." }),
    owner: Flags.string({ summary: "Who must approve changes: @user, @organisation/team, or an address." }),
    force: Flags.boolean({ summary: "Write into a folder that is not empty, over files of the same names." }),
  };

  async run(): Promise<InitResult> {
    const { args, flags } = await this.parse(Init);
    const answers = {
      action: parseAction(flags.action),
      owner: parseOwner(flags.owner),
      version: this.config.version,
    };
    const scaffold = fillIn(await readPackageFiles(this.config.root, flags.forge), answers);
    const written = await writeScaffold(args.folder, scaffold, flags.force);
    const facts = {
      ...written,
      folder: args.folder,
      forge: flags.forge,
      action: answers.action !== undefined,
      owner: answers.owner !== undefined,
    };
    this.log(initText(facts));
    return { folder: args.folder, ...written, next: nextSteps(facts) };
  }
}

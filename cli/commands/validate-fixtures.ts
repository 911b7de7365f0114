import { Args, Flags } from "@oclif/core";
import { BaseCommand, rootFlag } from "../base-command.js";
import { exitCode } from "../exit-codes.js";
import { findFixtures } from "../fixtures/find-fixtures.js";
import { judgeFixtures, type FixtureResult } from "../fixtures/judge-fixtures.js";
import { fixturesText } from "../format/fixtures.js";

export default class ValidateFixtures extends BaseCommand {
  static override summary =
    "Run fixture records through both gates and compare with the verdict each declares.";
  static override description =
    "A fixtures.yaml beside the records says what must come of each; docs/fixtures.md shows how. Exit codes: 0 all as declared, 1 some are not, 2 they could not be judged.";
  static override examples = ["<%= config.bin %> validate-fixtures tests/fixtures/ --strict"];
  static override args = {
    directory: Args.string({
      required: true,
      description: "Folder of fixtures; folders below it are read too.",
    }),
  };
  static override flags = {
    ...rootFlag,
    strict: Flags.boolean({ summary: "Fail on records that no fixtures.yaml declares, too." }),
  };

  async run(): Promise<{ strict: boolean; fixtures: readonly FixtureResult[] }> {
    const { args, flags } = await this.parse(ValidateFixtures);
    const fixtures = await judgeFixtures(await findFixtures(args.directory), flags.root);
    this.log(fixturesText(fixtures, flags.strict, this.theme()));
    if (fixtures.some((result) => isFailure(result, flags.strict))) this.finish(exitCode.findings);
    return { strict: flags.strict, fixtures };
  }
}

function isFailure({ outcome }: FixtureResult, strict: boolean): boolean {
  return outcome === "unexpected" || outcome === "missing" || (strict && outcome === "undeclared");
}

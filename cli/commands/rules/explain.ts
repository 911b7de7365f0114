import { Args } from "@oclif/core";
import { Fault } from "../../../harvester/fault.js";
import { BaseCommand } from "../../base-command.js";
import { consequenceText, ruleText } from "../../format/rules.js";
import { findRule, meantRule, type KnownRule } from "../../lint/known-rules.js";

export default class RulesExplain extends BaseCommand {
  static override summary = "Explain one lint rule, or one consequence a review can tell.";
  static override description = `Says what is wrong, why it matters, shows it wrong and right, and says what to do, whether lint --fix mends it and whether a manifest may hold it back.

Exit codes: 0 explained, 2 there is no such rule.`;
  static override examples = [
    "<%= config.bin %> rules explain schedule/never-runs",
    "<%= config.bin %> rules explain source-renamed",
  ];
  static override args = {
    id: Args.string({ description: "Id of the rule, as lint or diff tells it.", required: true }),
  };

  async run(): Promise<KnownRule> {
    const { args } = await this.parse(RulesExplain);
    const known = findRule(args.id);
    if (known === undefined) throw unknownRule(args.id, this.config.bin);
    const page = { theme: this.theme(), width: this.width() };
    this.log(known.kind === "lint" ? ruleText(known.rule, page) : consequenceText(known.entry, page));
    return known;
  }
}

function unknownRule(id: string, bin: string): Fault {
  const meant = meantRule(id);
  return new Fault("config", {
    code: "UnknownRule",
    sentence: `There is no rule ${JSON.stringify(id.slice(0, 80))}.`,
    remedy: meant === undefined ? `${bin} rules list shows them all.` : `Did you mean ${meant}?`,
  });
}

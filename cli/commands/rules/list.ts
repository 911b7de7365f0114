import { Flags } from "@oclif/core";
import { didYouMean } from "../../../source/did-you-mean.js";
import { Fault } from "../../../harvester/fault.js";
import { BaseCommand } from "../../base-command.js";
import { rulesText } from "../../format/rules.js";
import { plural } from "../../format/words.js";
import { listRules, ruleTopics, type ListedRule } from "../../lint/known-rules.js";

export default class RulesList extends BaseCommand {
  static override summary = "List every lint rule, and every consequence a review can tell.";
  static override description = `Shows id, severity, whether lint --fix mends it, and whether a manifest may hold it back for a time (docs/lint-rules.md).

Exit codes: 0 listed, 2 it could not be done.`;
  static override examples = [
    "<%= config.bin %> rules list",
    "<%= config.bin %> rules list --topic schedule",
    "<%= config.bin %> rules list --json",
  ];
  static override flags = {
    topic: Flags.string({ summary: "Only rules of this topic: the part of their id before the slash." }),
  };

  async run(): Promise<{ readonly rules: readonly ListedRule[] }> {
    const { flags } = await this.parse(RulesList);
    const rules = listRules(flags.topic);
    if (rules.length === 0) throw unknownTopic(flags.topic ?? "");
    this.log(rulesText(rules, this.width()));
    this.log(`\n${plural(rules.length, "rule")}. More of one: ${this.config.bin} rules explain ID`);
    return { rules };
  }
}

function unknownTopic(topic: string): Fault {
  const topics = ruleTopics();
  const meant = didYouMean(topic, topics);
  return new Fault("config", {
    code: "UnknownTopic",
    sentence: `There is no topic ${JSON.stringify(topic.slice(0, 80))}.`,
    remedy: `${meant === undefined ? "" : `Did you mean ${meant}? `}Topics are ${topics.join(", ")}.`,
  });
}

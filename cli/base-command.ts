import { Command, Errors, Flags, type Interfaces } from "@oclif/core";
import { asFault, type Fault } from "../harvester/fault.js";
import { exitCode } from "./exit-codes.js";
import { colour, noColour, type Theme } from "./format/colour.js";
import { errorText } from "./format/error-text.js";

/** The folder that paths in a manifest are relative to. */
export const rootFlag = {
  root: Flags.string({
    summary: "Policy root: paths in a manifest are relative to it.",
    default: ".",
    helpGroup: "GLOBAL",
  }),
};

/** What every command shares: --json, colours only on a terminal, errors for people, stable exit codes. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;
  /** Colours for standard output; none when it is no terminal, or NO_COLOR is set (no-color.org). */
  protected theme(stream: NodeJS.WriteStream = process.stdout): Theme {
    const wanted = stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
    return wanted ? colour : noColour;
  }

  /** Columns a table may take: the terminal's, within what is readable; 100 when there is none. */
  protected width(): number {
    return process.stdout.isTTY ? Math.min(Math.max(process.stdout.columns, 60), 160) : 100;
  }

  /** Ends with this exit code once the output is written, without cutting a pipe short. */
  protected finish(code: number): void {
    process.exitCode = code;
  }

  /** Faults become their sentence and remedy; wrong options keep oclif's own text; both exit 2 unless a run says more. */
  protected override async catch(error: Interfaces.CommandError): Promise<unknown> {
    if (error instanceof Errors.ExitError) throw error;
    if (error instanceof Errors.CLIError) {
      process.exitCode = exitCode.failed;
      const remedy = `See ${this.config.bin} ${(this.id ?? "").replaceAll(":", " ")} --help.`;
      this.report({ code: "Usage", sentence: usageSentence(error.message), remedy });
      return undefined;
    }
    const fault = asFault(error);
    // A command may have said more already: 1 for a record that is not there.
    if (!process.exitCode) process.exitCode = this.faultExitCode(fault);
    this.report({ code: fault.code, sentence: fault.detail.sentence, remedy: fault.detail.remedy });
    if (fault.kind === "bug" && process.env["DEBUG"]) process.stderr.write(`${String(error.stack)}\n`);
    return undefined;
  }

  protected faultExitCode(fault: Fault): number {
    return fault.kind === "bug" ? 70 : exitCode.failed;
  }

  private report(error: { code: string; sentence: string; remedy?: string }): void {
    if (this.jsonEnabled()) process.stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
    else process.stderr.write(`${errorText(error, this.theme(process.stderr))}\n`);
  }
}

/** oclif wraps what is wrong into two lines of its own. */
function usageSentence(message: string): string {
  return message
    .replace(/^The following errors? occurred:\s*/, "")
    .replace(/\s*See more help with --help\s*$/, "")
    .trim();
}

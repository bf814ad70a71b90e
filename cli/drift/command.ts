import { Command, InvalidArgumentError, Option } from "commander";
import { writeText } from "../file";
import { helpSections } from "../help";
import { withProgress } from "../progress";
import { Refusal } from "../refusal";
import { readState, type StackOptions, stackOptions } from "../state/stack";
import { visible } from "../visible";
import { type ChoiceOptions, choiceOf, choiceOptions } from "./arguments";
import { isChosen } from "./choice";
import { lookInThread } from "./lookInThread";
import { type DriftReport, exitCodeOf } from "./report";
import { driftText } from "./text";
import { runWatch } from "./watchText";

interface DriftOptions extends StackOptions, ChoiceOptions {
  readonly json?: true;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly verbose?: true;
  readonly watch?: true;
  readonly interval?: number;
}

/** `quarterdeck drift`. */
export function driftCommand(): Command {
  const command = new Command("drift")
    .summary("Compare a state with the live objects")
    .description("Compare a stack's state with the live objects, without running the program (read-only)")
    .option("--json", "Print the report as JSON")
    .option("--junit <file>", "Also write the report as JUnit XML")
    .option("--markdown <file>", "Also write the report as Markdown, short enough for a comment")
    .option("--html <file>", "Also write the report as an HTML page")
    .addOption(
      new Option(
        "--watch",
        "Report changes until interrupted; with --json, one JSON object per line",
      ).conflicts(["junit", "markdown", "html"]),
    )
    .option("--interval <seconds>", "With --watch: seconds between two polls (default: 30)", seconds)
    .option("-v, --verbose", "Also print resources in sync, and the source of each resource's settings")
    .addHelpText("after", HELP)
    .action(runDrift);
  for (const option of [...stackOptions(), ...choiceOptions()]) command.addOption(option);
  return command;
}

const HELP = helpSections({
  examples: [
    "quarterdeck drift",
    "quarterdeck drift --stack production --junit drift.xml",
    "quarterdeck drift --only 'scheduler:*' --ignore scheduler:Job:spec.priority",
    "quarterdeck drift --watch --interval 60",
  ],
  exitCodes: {
    0: "Every resource is in sync or ignored",
    1: "Error",
    2: "At least one resource drifted or is missing",
    3: "At least one resource could not be read",
  },
});

async function runDrift(options: DriftOptions): Promise<void> {
  const { only = [] } = options;
  const passing = choiceOf(options);
  const stack = await readState(options);
  const warn = (text: string) => console.error(`quarterdeck: ${visible(text)}`);
  if (options.watch)
    return runWatch({ ...stack, only: (resource) => isChosen(only, resource), passing, warn }, options);
  const found = await withProgress(
    (progress) => lookInThread({ ...stack, only }, { warn, progress }),
    "resources",
  );
  if (only.length > 0 && found.resources.length === 0)
    throw new Refusal(`no resource of the stack matches --only ${only.join(" ")}`);
  const report = passing(found);
  console.log(options.json ? JSON.stringify(report, undefined, 2) : driftText(report, options).join("\n"));
  process.exitCode = exitCodeOf(report);
  writeFiles(report, options);
}

function seconds(text: string): number {
  const interval = Number(text);
  if (interval >= 1 && interval <= LONGEST_INTERVAL_S) return interval;
  throw new InvalidArgumentError(`Use seconds, from 1 to ${LONGEST_INTERVAL_S}.`);
}

const LONGEST_INTERVAL_S = 86_400;

/** Loads each writer only if its file is requested. */
function writeFiles(report: DriftReport, { junit, markdown, html }: DriftOptions): void {
  if (junit !== undefined) {
    const { junitOf } = require("./writers/junit") as typeof import("./writers/junit");
    writeText(junit, junitOf(report));
  }
  if (markdown !== undefined) {
    const { markdownOf } = require("./writers/markdown") as typeof import("./writers/markdown");
    writeText(markdown, markdownOf(report));
  }
  if (html !== undefined) {
    const { htmlOf } = require("./writers/page/html") as typeof import("./writers/page/html");
    writeText(html, htmlOf(report));
  }
}

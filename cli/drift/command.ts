import { Command, InvalidArgumentError, Option } from "commander";
import { writeText } from "../file";
import { withProgress } from "../progress";
import { type StackOptions, stackOptions, stateOf } from "../state/stack";
import { visible } from "../visible";
import { type ChoiceOptions, choiceOf, choiceOptions } from "./arguments";
import { isChosen } from "./choice";
import { lookApart } from "./lookApart";
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
    .description("compares a stack's state with the services; writes nothing, and runs no program")
    .option("--json", "prints the report as JSON")
    .option("--junit <file>", "writes it as JUnit's XML, too")
    .option("--markdown <file>", "writes it as Markdown, too, short enough for a comment")
    .option("--html <file>", "writes it as one page, too")
    .addOption(
      new Option(
        "--watch",
        "stays, and tells whenever a resource moves, until it is interrupted; with --json a JSON object a line",
      ).conflicts(["junit", "markdown", "html"]),
    )
    .option("--interval <seconds>", "with --watch: how often it looks where no service tells", seconds)
    .option("-v, --verbose", "tells what is in sync, too, and where the settings of each resource come from")
    .addHelpText(
      "after",
      "\nStatus: 0 in sync, 2 drift, 3 something could not be read, 1 an error, 64 a wrong option.",
    )
    .action(runDrift);
  for (const option of [...stackOptions(), ...choiceOptions()]) command.addOption(option);
  return command;
}

async function runDrift(options: DriftOptions): Promise<void> {
  const { only = [] } = options;
  const passing = choiceOf(options);
  const stack = await stateOf(options);
  const warn = (text: string) => console.error(`quarterdeck: ${visible(text)}`);
  if (options.watch)
    return runWatch({ ...stack, only: (resource) => isChosen(only, resource), passing, warn }, options);
  const found = await withProgress((progress) => lookApart({ ...stack, only }, { warn, progress }));
  const report = passing(found);
  console.log(options.json ? JSON.stringify(report, undefined, 2) : driftText(report, options).join("\n"));
  process.exitCode = exitCodeOf(report);
  writeFiles(report, options);
}

function seconds(text: string): number {
  const told = Number(text);
  if (told >= 1 && told <= LONGEST_INTERVAL_S) return told;
  throw new InvalidArgumentError(`write seconds, from 1 to ${LONGEST_INTERVAL_S}`);
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

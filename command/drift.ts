import { Command } from "commander";
import { lookApart } from "../drift/lookApart";
import { type DriftReport, exitCodeOf } from "../drift/report";
import { type ChoiceOptions, choiceOf, choiceOptions } from "./driftChoice";
import { driftText } from "./driftText";
import { writeText } from "./file";
import { watched } from "./progress";
import { type StackOptions, stackOptions, stateOf } from "./stack";

interface DriftOptions extends StackOptions, ChoiceOptions {
  readonly json?: true;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly verbose?: true;
}

/** `quarterdeck drift`. */
export function driftCommand(): Command {
  const command = new Command("drift")
    .description("compares a stack's state with the services; writes nothing, and runs no program")
    .option("--json", "prints the report as JSON")
    .option("--junit <file>", "writes it as JUnit's XML, too")
    .option("--markdown <file>", "writes it as Markdown, too, short enough for a comment")
    .option("--html <file>", "writes it as one page, too")
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
  const warn = (text: string) => console.error(`quarterdeck: ${text}`);
  const found = await watched((progress) => lookApart({ ...stack, only }, { warn, progress }));
  const report = passing(found);
  console.log(options.json ? JSON.stringify(report, undefined, 2) : driftText(report, options).join("\n"));
  process.exitCode = exitCodeOf(report);
  writeFiles(report, options);
}

/** Each writer is loaded only where its file is asked for. */
function writeFiles(report: DriftReport, { junit, markdown, html }: DriftOptions): void {
  if (junit !== undefined) {
    const { junitOf } = require("../drift/writers/junit") as typeof import("../drift/writers/junit");
    writeText(junit, junitOf(report));
  }
  if (markdown !== undefined) {
    const { markdownOf } = require("../drift/writers/markdown") as typeof import("../drift/writers/markdown");
    writeText(markdown, markdownOf(report));
  }
  if (html !== undefined) {
    const { htmlOf } = require("../drift/writers/page/html") as typeof import("../drift/writers/page/html");
    writeText(html, htmlOf(report));
  }
}

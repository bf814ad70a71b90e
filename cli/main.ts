import { Command, CommanderError } from "commander";
import { crashInSafeWords } from "../provider/crash";
import { indentWords } from "./columns";
import { completionCommand, completionServer } from "./completion/command";
import { doctorCommand } from "./doctor/command";
import { driftCommand } from "./drift/command";
import { helpSections, USAGE_ERROR } from "./help";
import { importCommand } from "./import/command";
import { listCommand } from "./list/command";
import { newCommand } from "./new/command";
import { initCommand } from "./new/init";
import { ownPackage } from "./ownPackage";
import { Refusal } from "./refusal";
import { stateCommand } from "./state/command";
import { UnreadableState } from "./state/deployment";
import { visible } from "./visible";

const CRASHING = {
  name: "this command",
  known: "the output before this message is valid, and nothing was changed on a server.",
  next: "run the command again. If it fails again, update the package.",
} as const;

/** Runs the command with these arguments, and sets the exit code of the process. */
export async function main(args: readonly string[]): Promise<void> {
  crashInSafeWords(CRASHING);
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = statusOf(error, stateFileOf(program));
  }
}

function createProgram(): Command {
  const program = new Command("quarterdeck")
    .description("Set up Quarterdeck projects, diagnose problems, detect drift and import objects")
    .version(ownPackage().version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Print this help")
    .helpCommand("help [command]", "Print the help of a command")
    .showHelpAfterError('Run "quarterdeck --help" for usage.')
    .addHelpText("after", HELP)
    .configureOutput({
      outputError: (text, write) => write(`${indentWords(text.trimEnd(), 0).join("\n")}\n`),
    })
    .exitOverride();
  for (const command of [
    newCommand(),
    initCommand(),
    doctorCommand(),
    driftCommand(),
    listCommand(),
    importCommand(),
    stateCommand(),
    completionCommand(),
  ]) {
    command.exitOverride().copyInheritedSettings(program);
    command.showHelpAfterError(`Run "quarterdeck ${command.name()} --help" for usage.`);
    program.addCommand(command);
  }
  program.addCommand(completionServer(program).exitOverride(), { hidden: true });
  return program;
}

const HELP = helpSections({
  notes: 'Run "quarterdeck help COMMAND" for the options, examples and exit codes of a command.',
  examples: [
    "quarterdeck new nomad shop",
    "quarterdeck doctor --stack production",
    "quarterdeck drift --stack production",
  ],
  exitCodes: {
    0: "Success",
    1: "Error",
    2: "Problems found (doctor, drift)",
    3: "Incomplete result (drift, list, import)",
  },
});

/** The exit code after an error: 1 if the command failed. Commander prints usage errors itself. */
function statusOf(error: unknown, stateFile: string | undefined): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  if (!isUserError(error)) throw error;
  const source = error instanceof UnreadableState && stateFile !== undefined ? `${stateFile}: ` : "";
  console.error(`quarterdeck: ${visible(source + error.message)}`);
  return 1;
}

/** True if the message of the error is written for users and is all that needs printing. */
function isUserError(error: unknown): error is Error {
  return error instanceof Refusal || error instanceof UnreadableState;
}

/** The file of the option `--state`, which only some commands have. */
function stateFileOf(program: Command): string | undefined {
  const file: unknown = program.commands.map((command) => command.opts().state).find(Boolean);
  if (typeof file !== "string") return undefined;
  return file === "-" ? "standard input" : file;
}

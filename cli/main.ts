import { Command, CommanderError } from "commander";
import { crashInSafeWords } from "../provider/crash";
import { doctorCommand } from "./doctor/command";
import { driftCommand } from "./drift/command";
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
  known: "what it had printed until then holds; nothing is changed on a service by it.",
  next: "run it again; with a newer version of the package, where there is one.",
} as const;

/** Runs the command with these arguments, and sets the exit code of the process. */
export async function main(args: readonly string[]): Promise<void> {
  crashInSafeWords(CRASHING);
  const program = new Command("quarterdeck")
    .description(
      "Looks after stacks of pulumi-quarterdeck: their state, their drift, what is in none, the way to the plugin; makes new projects.",
    )
    .version(ownPackage().version, "-V, --version")
    .showHelpAfterError("(quarterdeck --help tells more)")
    .exitOverride();
  for (const command of [
    newCommand(),
    doctorCommand(),
    driftCommand(),
    listCommand(),
    importCommand(),
    stateCommand(),
    initCommand(),
  ]) {
    program.addCommand(command.exitOverride().copyInheritedSettings(program));
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = statusOf(error);
  }
}

/** The exit code after an error: 1 if the command failed. Commander prints usage errors itself. */
function statusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (!isToldByItsWords(error)) throw error;
  console.error(`quarterdeck: ${visible(error.message)}`);
  return 1;
}

/** The exit code for wrong usage; no command returns it as a result. */
const USAGE = 64;

/** True if the message of the error is written for users and is all that needs printing. */
function isToldByItsWords(error: unknown): error is Error {
  return error instanceof Refusal || error instanceof UnreadableState;
}

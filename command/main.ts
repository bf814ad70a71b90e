import { init, Refusal } from "./init";

const USAGE = `Usage: quarterdeck init

  init   has the programs of this project go by the provider plugin of the installed pulumi-quarterdeck
`;

/** Runs the command with these arguments; the status of the process says how it went. */
export function main(args: readonly string[]): void {
  const [name, ...more] = args;
  if (name !== "init" || more.length > 0) {
    const isAsked = name === "--help" || name === "help";
    (isAsked ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = isAsked ? 0 : 2;
    return;
  }
  try {
    init(process.cwd(), (sentence) => console.log(sentence));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`quarterdeck: ${error.message}`);
    process.exitCode = 1;
  }
}

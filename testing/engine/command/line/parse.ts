import { Refusal, Unserved } from "../../refusal";
import { type FlagSpecs, Flags, findFlag, readBoolean } from "./flags";
import type { Command } from "./invocation";

/** The flags that every command takes. */
const GLOBAL: FlagSpecs = {
  cwd: ["text", "C"],
  "non-interactive": "boolean",
  color: "text",
  emoji: ["boolean", "e"],
  "disable-integrity-checking": "boolean",
};

/** A parsed command line. */
export interface Request {
  readonly command: Command;
  readonly flags: Flags;
  readonly args: readonly string[];
}

/** Parses a command line. The words of a command may be mixed with flags. Unknown words and flags are refused by name. */
export function parse(words: readonly string[], commands: readonly Command[]): Request {
  const flags = new Flags();
  const args: string[] = [];
  let name = "";
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      args.push(...rest.splice(0));
    } else if (word.startsWith("-") && word !== "-") {
      readFlag(word, rest, flags, { ...GLOBAL, ...commandNamed(name, commands)?.flags }, name);
    } else if (args.length === 0 && isStart(`${name} ${word}`, commands)) {
      name = `${name} ${word}`.trim();
    } else if ((commandNamed(name, commands)?.args[1] ?? 0) === 0) {
      throw new Refusal(
        `unknown command "${word}" for "${`pulumi ${name}`.trim()}"; the embedded engine has none`,
      );
    } else {
      args.push(word);
    }
  }
  const command = commandNamed(name, commands);
  if (command === undefined) throw new Refusal(`a command is missing after "${`pulumi ${name}`.trim()}"`);
  refuseForeign(flags, command);
  const color = flags.text("color") ?? "auto";
  if (!["auto", "never"].includes(color)) throw new Unserved(`--color ${color}`, "it prints no colors");
  const [fewest, most] = command.args;
  if (args.length < fewest || args.length > most) {
    const expected =
      fewest === most ? `${most}` : args.length > most ? `at most ${most}` : `at least ${fewest}`;
    throw new Refusal(`accepts ${expected} arg(s), received ${args.length}`);
  }
  return { command, flags, args };
}

function readFlag(word: string, rest: string[], flags: Flags, specs: FlagSpecs, command: string): void {
  const [written = word, ...values] = word.split("=");
  const flag = findFlag(specs, written);
  if (flag === undefined) throw unservedFlag(written, command);
  const given = values.length > 0 ? values.join("=") : undefined;
  if (flag.kind === "boolean") {
    flags.add(flag.name, readBoolean(given ?? "true", flag.name));
    return;
  }
  const value = given ?? rest.shift();
  if (value === undefined) throw new Refusal(`flag needs an argument: ${written}`);
  flags.add(flag.name, value);
}

/** A flag of `pulumi config` may precede `get`, which may not support it. */
function refuseForeign(flags: Flags, command: Command): void {
  const specs = { ...GLOBAL, ...command.flags };
  const foreign = flags.names.find((flag) => !Object.hasOwn(specs, flag));
  if (foreign !== undefined) throw unservedFlag(`--${foreign}`, command.name);
}

const unservedFlag = (flag: string, command: string) =>
  new Unserved(`the flag ${flag} of '${`pulumi ${command}`.trim()}'`);

const commandNamed = (name: string, commands: readonly Command[]) =>
  commands.find((one) => one.name === name);

/** True if the words are a command or the beginning of one. */
function isStart(words: string, commands: readonly Command[]): boolean {
  const start = words.trim();
  return commands.some(({ name }) => name === start || name.startsWith(`${start} `));
}

import type { CompletionItem } from "@pnpm/tabtab";
import { Argument, Command, type Option } from "commander";
import { helpSections } from "../help";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `quarterdeck completion`: prints a script that completes the commands and options of this program in a shell. */
export function completionCommand(): Command {
  return new Command("completion")
    .summary("Print a shell completion script")
    .description("Print a script that completes the commands and options of quarterdeck in a shell")
    .addArgument(new Argument("<shell>", "The shell").choices(SHELLS))
    .addHelpText("after", HELP)
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { getCompletionScript } = await library();
      process.stdout.write(
        await getCompletionScript({ name: "quarterdeck", completer: "quarterdeck", shell }),
      );
    });
}

/** Loaded only here: the other commands do not need it. */
const library = () => import("@pnpm/tabtab");

const HELP = helpSections({
  notes:
    "The completion works in shells that find quarterdeck on the PATH, for example after npm install --global pulumi-quarterdeck.",
  examples: [
    "quarterdeck completion bash >> ~/.bashrc",
    "quarterdeck completion zsh >> ~/.zshrc",
    "quarterdeck completion fish > ~/.config/fish/completions/quarterdeck.fish",
  ],
  exitCodes: { 0: "Success" },
});

/** The hidden command that these scripts run: it prints the completions of the line in its environment. */
export function completionServer(program: Command): Command {
  return new Command("completion-server")
    .allowUnknownOption()
    .argument("[words...]")
    .action(async () => {
      const { COMP_LINE = "", COMP_POINT } = process.env;
      const line = COMP_LINE.slice(0, COMP_POINT === undefined ? undefined : Number(COMP_POINT));
      const completions = completionsOf(program, line);
      const { getShellFromEnv, log, logFiles } = await library();
      if (completions === "files") logFiles();
      else log(completions, getShellFromEnv(process.env));
    });
}

/** The completions of the last word of a line: names with descriptions, or the names of files. */
export function completionsOf(program: Command, line: string): CompletionItem[] | "files" {
  const words = line.split(/\s+/).slice(1);
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const command = before.map((word) => visibleCommand(program, word)).find(Boolean) ?? program;
  const option = command.options.find(({ long, short }) => [long, short].includes(before.at(-1)));
  if (option?.required === true) return valuesOf(option);
  const values = command.registeredArguments[0]?.argChoices ?? [];
  return [
    ...(command === program ? commandsOf(program) : values.map((name) => ({ name }))),
    ...optionsOf(command),
  ].filter(({ name }) => name.startsWith(last) && (last !== "" || !name.startsWith("-")));
}

function visibleCommand(program: Command, word: string): Command | undefined {
  return program.commands.find((command) => command.name() === word);
}

function commandsOf(program: Command): CompletionItem[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map((command) => ({ name: command.name(), description: command.summary() }));
}

function optionsOf(command: Command): CompletionItem[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ name: long, description }] : []));
}

/** The values of an option: its choices, or the names of files. */
function valuesOf({ argChoices, flags }: Option): CompletionItem[] | "files" {
  if (argChoices) return argChoices.map((name) => ({ name }));
  return /<(?:file|folder|path)>/i.test(flags) ? "files" : [];
}

import { Command } from "commander";
import { visibleIn } from "../visible";
import { type StackOptions, stackOptions, stateOf } from "./stack";

interface StateOptions extends StackOptions {
  readonly json?: true;
}

/** `quarterdeck state`. */
export function stateCommand(): Command {
  const command = new Command("state")
    .description("shows in words what a stack's state knows of its resources; secrets are masked")
    .argument("[names...]", "the resources, by their names, ids or URNs; without any, all")
    .option("--json", "prints it as JSON")
    .action(showState);
  for (const option of stackOptions()) command.addOption(option);
  return command;
}

async function showState(names: readonly string[], options: StateOptions): Promise<void> {
  const { state } = await stateOf(options);
  // The module loads the provider, which other commands do not need.
  const { default: knownOf } = require("./known") as typeof import("./known");
  const known = knownOf(state, names);
  console.log(options.json ? JSON.stringify(known, undefined, 2) : known.map(knownText).join("\n\n"));
}

type Known = import("./known").Known;

function knownText(known: Known): string {
  const { type, name, id, records, why, size } = visibleIn(known);
  const head = `${type} ${JSON.stringify(name)} (${id})`;
  if (records === undefined) return `${head}\n  ${why ?? "nothing: pulumi refresh reads it"}`;
  const { told, sections } = records;
  return [
    head,
    ...told.map((line) => `  ${line}`),
    ...sections.flatMap(({ what, lines }) => [`  ${what}`, ...lines.map((line) => `    ${line}`)]),
    `  kept in ${size.packed} bytes${size.packed < size.whole ? `, unpacked ${size.whole}` : ""}`,
  ].join("\n");
}

import { styleText } from "node:util";
import { Command } from "commander";
import { writeNew } from "../file";
import { helpSections } from "../help";
import { type DiscoverChoice, discoverOptions, listOptions } from "../list/options";
import { exitCodeOf, type ListReport } from "../list/report";
import { omissionsText } from "../list/text";
import { withProgress } from "../progress";
import { visible } from "../visible";

interface ImportOptions extends DiscoverChoice {
  readonly program?: true;
  readonly out?: string;
}

/** `quarterdeck import`. */
export function importCommand(): Command {
  const command = new Command("import")
    .summary("Generate an import file or program")
    .description("Generate an import file or a program for unmanaged objects (read-only on the servers)")
    .option("--program", "Generate a program that adopts the objects (for the plugin or dynamic providers)")
    .option("-o, --out <file>", "Write to this new file (default: stdout)")
    .addHelpText("after", HELP)
    .action(runImport);
  for (const option of discoverOptions()) command.addOption(option);
  return command;
}

const HELP = helpSections({
  notes:
    "The command uses the selected stack, and omits the objects in its state. With --no-stack it uses only the environment, and omits nothing. To import the file with the plugin:\n  pulumi import --file import.json",
  examples: [
    "quarterdeck import --out import.json",
    "quarterdeck import --stack production --program --out adopted.ts",
    "quarterdeck import --no-stack --type scheduler:Job",
  ],
  exitCodes: { 0: "Success", 1: "Error", 3: "At least one object could not be listed or read" },
});

async function runImport(options: ImportOptions): Promise<void> {
  const asked = await listOptions(options);
  // The modules load the provider's requests, which other commands do not need.
  const { listServices, surroundings } = require("../list/discover") as typeof import("../list/discover");
  const around = surroundings(asked);
  const found = await withProgress((progress) => listServices({ ...asked, progress }, around), "types");
  if (options.program !== true) {
    const { default: importFile } = require("./importFile") as typeof import("./importFile");
    writeNew(options.out, `${JSON.stringify(importFile(found.found, around.names), undefined, 2)}\n`);
    printOmissions(found);
    printNote(`${found.found.length} to import. Next: pulumi import --file ${options.out ?? "<file>"}`);
    return;
  }
  const { default: generateProgram } = require("./adoptProgram") as typeof import("./adoptProgram");
  const { inTypeScript } = require("../programs/typescript") as typeof import("../programs/typescript");
  const generated = await withProgress(
    (progress) => generateProgram(found.found, around, progress),
    "objects",
  );
  writeNew(options.out, inTypeScript(generated.program));
  printOmissions({ ...found, unread: [...found.unread, ...generated.unread] });
  for (const name of generated.settings)
    printNote(`Set the secret: pulumi config set --secret ${JSON.stringify(name)}`);
  printNote(`${generated.program.statements.length} to adopt. Next: pulumi up (writes only differences)`);
}

/** Prints which objects are not in the file, and why. */
function printOmissions(report: ListReport): void {
  for (const line of omissionsText(report, { stream: process.stderr })) console.error(line);
  process.exitCode = exitCodeOf(report);
}

function printNote(text: string): void {
  console.error(styleText("gray", visible(text), { stream: process.stderr }));
}

import { styleText } from "node:util";
import { Command } from "commander";
import { writeNew } from "../file";
import { type DiscoverChoice, discoverOptions, listOptions } from "../list/options";
import { exitCodeOf, type ListReport } from "../list/report";
import { besideFound } from "../list/text";
import { withProgress } from "../progress";
import { visible } from "../visible";

interface ImportOptions extends DiscoverChoice {
  readonly program?: true;
  readonly out?: string;
}

/** `quarterdeck import`. */
export function importCommand(): Command {
  const command = new Command("import")
    .description(
      "Write an import file or a program for objects that are not in the stack (read-only on the servers)",
    )
    .option(
      "--program",
      "write a program that adopts the objects, for either bridge, instead of an import file",
    )
    .option("-o, --out <file>", "a new file; default: standard output")
    .addHelpText(
      "after",
      `
\`pulumi import --file\` reads the import file on the plugin bridge.
It uses the selected stack; with --no-stack, the environment alone.

Examples:
  quarterdeck import --out import.json
  quarterdeck import --stack production --program --out taken.ts
  quarterdeck import --no-stack --type scheduler:Job

Exit codes: 0 written, 1 error, 3 something could not be listed or read, 64 unknown option.`,
    )
    .action(runImport);
  for (const option of discoverOptions()) command.addOption(option);
  return command;
}

async function runImport(options: ImportOptions): Promise<void> {
  const asked = await listOptions(options);
  // The modules load the provider's requests, which other commands do not need.
  const { listServices, surroundings } = require("../list/discover") as typeof import("../list/discover");
  const around = surroundings(asked);
  const found = await withProgress((progress) => listServices({ ...asked, progress }, around), "types");
  if (options.program !== true) {
    const { default: importFile } = require("./importFile") as typeof import("./importFile");
    writeNew(options.out, `${JSON.stringify(importFile(found.found), undefined, 2)}\n`);
    tellRest(found);
    say(`${found.found.length} to import: pulumi import --file ${options.out ?? "<file>"}`);
    return;
  }
  const { default: takingOver } = require("./adoptProgram") as typeof import("./adoptProgram");
  const { inTypeScript } = require("../programs/typescript") as typeof import("../programs/typescript");
  const made = await withProgress((progress) => takingOver(found.found, around.host, progress), "objects");
  writeNew(options.out, inTypeScript(made.program));
  tellRest({ ...found, unread: [...found.unread, ...made.unread] });
  for (const name of made.settings)
    say(`a secret that the program needs: pulumi config set --secret ${JSON.stringify(name)}`);
  say(
    `${made.program.statements.length} to adopt: pulumi up writes nothing where all is as the program says`,
  );
}

/** Prints which objects are not in the file, and why. */
function tellRest(report: ListReport): void {
  for (const line of besideFound(report, {})) console.error(line);
  process.exitCode = exitCodeOf(report);
}

const say = (text: string) => console.error(styleText("gray", visible(text)));

import { styleText } from "node:util";
import { Command } from "commander";
import { exitCodeOf, type ListReport } from "../discover/report";
import { visible } from "../drift/visible";
import { type DiscoverChoice, discovered, discoverOptions } from "./discovering";
import { writeNew } from "./file";
import { besideFound } from "./listText";
import { watched } from "./progress";

interface ImportOptions extends DiscoverChoice {
  readonly program?: true;
  readonly out?: string;
}

/** `quarterdeck import`. */
export function importCommand(): Command {
  const command = new Command("import")
    .description("writes what takes over what exists and is in no state; on the services it writes nothing")
    .option("--program", "a program that adopts all of it, for either bridge, in place of an import file")
    .option("-o, --out <file>", "a new file; without it, the standard output")
    .addHelpText(
      "after",
      "\nThe import file is what `pulumi import --file` takes, on the plugin bridge.\nStatus: 0 written, 3 something could not be listed or read and is not in it, 1 an error.",
    )
    .action(runImport);
  for (const option of discoverOptions()) command.addOption(option);
  return command;
}

async function runImport(options: ImportOptions): Promise<void> {
  const asked = await discovered(options);
  // They load the provider's requests, which other commands do not need.
  const { listed, surroundings } = require("../discover/discover") as typeof import("../discover/discover");
  const around = surroundings(asked);
  const found = await watched((progress) => listed({ ...asked, progress }, around), "types");
  if (options.program !== true) {
    const { default: importFile } =
      require("../discover/importFile") as typeof import("../discover/importFile");
    writeNew(options.out, `${JSON.stringify(importFile(found.found), undefined, 2)}\n`);
    tellRest(found);
    say(`${found.found.length} to import: pulumi import --file ${options.out ?? "<file>"}`);
    return;
  }
  const { default: takingOver } =
    require("../discover/takingOver") as typeof import("../discover/takingOver");
  const { inTypeScript } = require("../programs/typescript") as typeof import("../programs/typescript");
  const made = await watched((progress) => takingOver(found.found, around.host, progress), "objects");
  writeNew(options.out, inTypeScript(made.program));
  tellRest({ ...found, unread: [...found.unread, ...made.unread] });
  for (const name of made.settings)
    say(`a secret that the program needs: pulumi config set --secret ${JSON.stringify(name)}`);
  say(
    `${made.program.statements.length} to adopt: pulumi up writes nothing where all is as the program says`,
  );
}

/** What is not in the file, and why. */
function tellRest(report: ListReport): void {
  for (const line of besideFound(report, {})) console.error(line);
  process.exitCode = exitCodeOf(report);
}

const say = (text: string) => console.error(styleText("gray", visible(text)));

import { styleText } from "node:util";
import { Command, Option } from "commander";
import { writeNew } from "../file";
import { helpSections } from "../help";
import { type DiscoverChoice, discoverOptions, listOptions } from "../list/options";
import { type ListReport, listExitCode } from "../list/report";
import { omissionsText } from "../list/text";
import type { Setting } from "../programs/program";
import { withProgress } from "../progress";
import { Refusal } from "../refusal";
import { visible } from "../visible";

interface ImportOptions extends DiscoverChoice {
  readonly program?: true;
  readonly out?: string;
  readonly fromTerraform?: string;
  readonly fromStack?: string;
  readonly plan?: string;
  readonly modules: "prefixes" | "components";
  readonly checkPlan?: string;
  readonly outDir: string;
}

/** `quarterdeck import`. */
export function importCommand(): Command {
  const command = new Command("import")
    .summary("Generate an import file or program")
    .description("Generate an import file or a program for unmanaged objects (read-only on the servers)")
    .option("--program", "Generate a program that adopts the objects (for the plugin or dynamic providers)")
    .option("-o, --out <file>", "Write to this new file (default: stdout)")
    .addOption(
      new Option(
        "--from-terraform <state>",
        "Migrate the objects of this state (terraform state pull, or terraform show -json); - is stdin",
      ).conflicts(["out", "search", "checkPlan", "fromStack"]),
    )
    .addOption(
      new Option(
        "--from-stack <name>",
        "Migrate the objects of @pulumi/nomad, @pulumi/vault, @pulumi/consul or tfe in this stack (organization/project/stack)",
      ).conflicts(["out", "search", "checkPlan", "plan"]),
    )
    .option("--plan <file>", "With --from-terraform: find references in this plan (terraform show -json)")
    .addOption(
      new Option("--modules <form>", "With --from-terraform: modules become name prefixes or components")
        .choices(["prefixes", "components"])
        .default("prefixes"),
    )
    .option(
      "--check-plan <file>",
      "Fail unless this plan (terraform show -json) forgets the migrated objects and deletes nothing",
    )
    .option("--out-dir <folder>", "The folder of a migration", "migration")
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
    "quarterdeck import --from-terraform state.json --plan plan.json --program",
    "quarterdeck import --check-plan plan.json",
  ],
  exitCodes: {
    0: "Success",
    1: "Error, or --check-plan found a wrong action",
    3: "At least one object could not be listed or read, or was not migrated",
  },
});

/** The options that only a migration uses. */
const MIGRATION_FLAGS = { plan: "--plan", modules: "--modules", outDir: "--out-dir" };

async function runImport(options: ImportOptions, command: Command): Promise<void> {
  const isMigration = options.fromTerraform !== undefined || options.fromStack !== undefined;
  for (const [name, flag] of Object.entries(MIGRATION_FLAGS)) {
    const isUsed = isMigration || (name === "outDir" && options.checkPlan !== undefined);
    if (!isUsed && command.getOptionValueSource(name) === "cli")
      throw new Refusal(`${flag} needs --from-terraform or --from-stack`);
  }
  if (options.checkPlan !== undefined) return runCheck(options.checkPlan, options.outDir);
  if (isMigration) return runMigration(options);
  const asked = await listOptions(options);
  // The modules load the provider's requests, which other commands do not need.
  const { listServices, surroundings } = require("../list/discover") as typeof import("../list/discover");
  const around = surroundings(asked);
  const found = await withProgress((progress) => listServices({ ...asked, progress }, around), "types");
  if (options.program !== true) {
    const { default: importFile } = require("./importFile") as typeof import("./importFile");
    const { namesOf } = require("../list/names") as typeof import("../list/names");
    const names = namesOf(found.found, around.names);
    const resources = found.found.map((object) => ({ ...object, name: names.get(object) ?? object.id }));
    writeNew(options.out, `${JSON.stringify(importFile(resources), undefined, 2)}\n`);
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
  printSecrets(generated.settings);
  printNote(`${generated.program.statements.length} to adopt. Next: pulumi up (writes only differences)`);
}

/** Migrates the objects of a Terraform state, or of another stack. */
async function runMigration(options: ImportOptions): Promise<void> {
  const { outDir, plan, modules, program, fromTerraform, fromStack = "" } = options;
  const { migrate, sourceInFile, sourceInStack } = await import("./terraform/run.js");
  const source = await (fromTerraform === undefined ? sourceInStack(fromStack) : sourceInFile(fromTerraform));
  const choice = { source, outDir, plan, modules, hasProgram: program === true };
  const made = await migrate(choice, await listOptions(options));
  const { imports, inStack, skipped, files, settings } = made;
  for (const [why, of] of Map.groupBy(skipped, ({ why }) => why)) {
    const [first, ...others] = of.map(({ address }) => address);
    const more =
      others.length > 2 ? ` and ${others.length} more` : others.map((other) => `, ${other}`).join("");
    console.error(visible(`SKIP ${first}${more}: ${why}`));
  }
  if (imports.length === 0) throw new Refusal("no object can be migrated, so no file was written");
  const already = inStack > 0 ? ` (already in the stack: ${inStack})` : "";
  printNote(`Resources: ${imports.length}${already}. Files in ${outDir}: ${[...files.keys()].join(", ")}`);
  printSecrets(settings);
  printNote(`Next: follow the steps in ${outDir}/report.md`);
  if (skipped.length > 0) process.exitCode = 3;
}

/** Checks the plan of Terraform after a migration. */
async function runCheck(plan: string, outDir: string): Promise<void> {
  const { checkPlan } = await import("./terraform/run.js");
  const { objects, wrong } = checkPlan(plan, outDir);
  for (const line of wrong) console.error(visible(`FAIL ${line}`));
  if (wrong.length > 0) process.exitCode = 1;
  else
    printNote(`Migrated objects: ${objects}. The plan keeps none of them in the state and deletes nothing.`);
}

/** Prints which objects are not in the file, and why. */
function printOmissions(report: ListReport): void {
  for (const line of omissionsText(report, { stream: process.stderr })) console.error(line);
  process.exitCode = listExitCode(report);
}

/** Prints how to set each secret that the program reads. */
function printSecrets(settings: readonly Setting[]): void {
  const { secretCommand } = require("./adoptStatement") as typeof import("./adoptStatement");
  for (const setting of settings) printNote(`Set the secret: ${secretCommand(setting)}`);
}

function printNote(text: string): void {
  console.error(styleText("gray", visible(text), { stream: process.stderr }));
}

import type { ImportedResource, Reason } from "./migration";
import type { MigrationSource } from "./source";

/** The contents of the report. */
export interface ReportContents {
  readonly tool: MigrationSource["tool"];
  /** True if the migration has a program; false if it has an import file. */
  readonly hasProgram: boolean;
  /** The folder of the report, for commands in the Pulumi project. */
  readonly outDir: string;
  readonly imports: readonly ImportedResource[];
  /** How many of these are in the stack already. */
  readonly inStack: number;
  readonly skipped: readonly Reason[];
  /** The secrets to set, each with the command or the property. */
  readonly secrets: readonly Reason[];
  /** The services of each provider alias, which becomes a connection of the same name. */
  readonly connections: ReadonlyMap<string, ReadonlySet<string>>;
  /** Differences that the user has to know, by the Terraform type or the resource. */
  readonly notes: readonly Reason[];
  /** Objects that Terraform cannot import again. */
  readonly notImportable: readonly Reason[];
  /** The names of the written files. */
  readonly files: ReadonlySet<string>;
}

/** Writes the report of a migration in Markdown. It contains no attribute of any object except IDs and addresses. */
export function reportText(contents: ReportContents): string {
  const { tool, imports, inStack, skipped, secrets, connections, notes, notImportable } = contents;
  const product = { terraform: "Terraform", opentofu: "OpenTofu", pulumi: "the other stack" }[tool];
  const addresses = new Set(imports.flatMap(({ sources }) => sources.map(({ address }) => address)));
  return [
    "# Migration report",
    "",
    `Migrated objects: ${addresses.size}. Resources: ${imports.length}${inStack > 0 ? ` (already in the stack: ${inStack})` : ""}. Objects that are not migrated: ${skipped.length}.`,
    ...section("Steps", stepsOf(contents)),
    ...section(
      "Secrets to set",
      secrets.map(row),
      "Each secret must equal its current value: `pulumi up` writes another value.",
    ),
    ...section(
      "Connections to configure",
      [...connections].map(([alias, services]) => `- \`${alias}\` of ${[...services].join(", ")}`),
      "Each provider alias becomes a connection of the same name.",
    ),
    ...section(`Not migrated: these objects stay in ${product}`, skipped.map(row)),
    ...section("Notes", notes.map(row)),
    ...section(`Not importable: ${product} cannot import these objects again`, notImportable.map(row)),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[], before?: string): string[] {
  if (lines.length === 0) return [];
  return ["", `## ${title}`, "", ...(before === undefined ? [] : [before, ""]), ...lines];
}

const row = ({ address, why }: Reason) => `- \`${address}\`: ${why}`;

function stepsOf(contents: ReportContents): string[] {
  const { tool, imports, inStack, files } = contents;
  const command = tool === "opentofu" ? "tofu" : "terraform";
  const steps = [
    tool === "pulumi"
      ? "Stop the pipelines of the other stack."
      : "Lock the workspace, or stop its pipelines, so that no one applies a change in the meantime.",
    ...(imports.length > inStack ? adoptSteps(contents) : []),
    ...(tool === "pulumi" ? stackSteps(files) : terraformSteps(command, contents)),
  ];
  return steps.map((step, index) => `${index + 1}. ${step}`);
}

const adoptSteps = ({ hasProgram, outDir, secrets, connections }: ReportContents) => [
  ...(connections.size > 0 ? ["Configure the connections below."] : []),
  ...(hasProgram
    ? [
        ...(secrets.length > 0 ? ["Set the secrets below."] : []),
        "Add `index.ts` to the Pulumi program, and run `pulumi up`: it adopts the objects.",
      ]
    : [
        `Run \`pulumi import --file ${outDir}/import.json\` in the Pulumi project, and add the generated program.`,
        ...(secrets.length > 0 ? ["Set the secrets below in the program."] : []),
      ]),
  "Run `pulumi preview`: it shows no changes.",
];

const stackSteps = (files: ReadonlySet<string>) => [
  "In the other program, set `retainOnDelete: true` for the migrated resources, and run `pulumi up`.",
  "Delete these resources from the other program, and run `pulumi up`: it keeps the objects.",
  ...(files.has("state-delete.sh")
    ? ["Or run `sh state-delete.sh` in that project, and delete the resources from the program."]
    : []),
];

const terraformSteps = (command: string, { outDir, files }: ReportContents) => [
  "Delete the blocks of the migrated resources from the configuration.",
  ...(files.has("removed.tf") ? ["Add `removed.tf` to the configuration."] : []),
  ...(files.has("state-rm.sh") ? ["Run `sh state-rm.sh` in the configuration's folder."] : []),
  `Run \`${command} plan -out tfplan && ${command} show -json tfplan > plan.json\`.`,
  `Run \`npx quarterdeck import --check-plan plan.json --out-dir ${outDir}\` in the Pulumi project. The command fails unless the plan forgets each migrated object and deletes nothing.`,
  `Run \`${command} apply tfplan\`.`,
];

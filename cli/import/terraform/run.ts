import path from "node:path";
import { z } from "zod";
import { fileBytes, fileText, makeNewFolder, writeNew } from "../../file";
import { type DiscoverOptions, isTypeSelected, surroundings } from "../../list/discover";
import { withProgress } from "../../progress";
import { Refusal } from "../../refusal";
import { exportedStack } from "../../state/cli";
import { bridgedState } from "./bridged";
import { wrongActions } from "./checkPlan";
import { type MigrationFiles, migrationFiles } from "./files";
import { terraformPlan } from "./plan";
import { jsonOf, type MigrationSource } from "./source";
import { terraformState } from "./state";

/** The files and the form of a migration. */
export interface MigrationChoice {
  /** The folder for the files of the migration. */
  readonly outDir: string;
  /** Terraform's state or a stack's exported state. */
  readonly source: MigrationSource;
  /** A plan in JSON of the same configuration. */
  readonly plan?: string | undefined;
  readonly modules: "prefixes" | "components";
  /** False: an import file instead of a program. */
  readonly hasProgram: boolean;
}

/** Reads Terraform's state from a file; `-` is standard input. */
export async function sourceInFile(file: string): Promise<MigrationSource> {
  return terraformState(new TextDecoder().decode(await fileBytes(file)));
}

/** Reads the state of another stack with the Pulumi CLI. Its secrets are in plain text only in memory. */
export async function sourceInStack(stack: string): Promise<MigrationSource> {
  const exported = await exportedStack({ cwd: process.cwd(), stack });
  return bridgedState(exported.toString());
}

/** Writes the files of a migration to a new folder; nothing if no object is migrated. */
export async function migrate(choice: MigrationChoice, asked: DiscoverOptions): Promise<MigrationFiles> {
  const { outDir, source, plan, modules, hasProgram } = choice;
  const references = plan === undefined ? undefined : terraformPlan(fileText(plan)).references;
  const { host, names, known } = surroundings(asked);
  const made = await withProgress(
    (progress) =>
      migrationFiles(source, {
        host,
        names,
        known,
        references,
        outDir,
        hasProgram,
        hasComponents: modules === "components",
        isSelected: (token) => isTypeSelected(asked, token),
        progress,
      }),
    "objects",
  );
  if (made.imports.length === 0) return made;
  makeNewFolder(outDir);
  for (const [name, text] of made.files) writeNew(path.join(outDir, name), text);
  return made;
}

const importedAddresses = z.array(z.object({ address: z.string() }));

/** The result of a check of a plan. */
interface CheckedPlan {
  /** The number of migrated objects. */
  readonly objects: number;
  /** A line for each wrong action. */
  readonly wrong: readonly string[];
}

/**
 * Checks that a plan forgets the objects of a migration and deletes nothing.
 * @throws Refusal if a file cannot be read, or if there are no migrated objects
 */
export function checkPlan(planFile: string, outDir: string): CheckedPlan {
  const file = path.join(outDir, "resources.json");
  const parsed = importedAddresses.safeParse(jsonOf(fileText(file)));
  if (!parsed.success) throw new Refusal(`${file} is not a list of migrated objects`);
  const migrated = new Set(parsed.data.map(({ address }) => address));
  if (migrated.size === 0) throw new Refusal(`${file} lists no migrated object`);
  const wrong = wrongActions(terraformPlan(fileText(planFile)), migrated);
  return { objects: migrated.size, wrong: wrong.map(({ address, why }) => `${address}: ${why}`) };
}

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PLUGIN, withPlugin } from "./projectFile";

/** A template for a new project. */
export interface Template {
  /** The folder's name in the package. */
  readonly name: string;
  /** Other names for it, after the products. */
  readonly aliases: readonly string[];
  /** What a project of it manages. */
  readonly creates: string;
}

export const TEMPLATES: readonly Template[] = [
  { name: "scheduler", aliases: ["nomad"], creates: "a job on Nomad" },
  {
    name: "workspaces",
    aliases: ["terraform", "tfe"],
    creates: "workspaces and a private provider on HCP Terraform or Terraform Enterprise",
  },
  {
    name: "secrets",
    aliases: ["vault", "openbao"],
    creates: "a role of RabbitMQ, MFA and a login enforcement on Vault or OpenBao",
  },
  { name: "mesh", aliases: ["consul"], creates: "configuration entries on Consul" },
  { name: "platform", aliases: ["all"], creates: "all four services in one program" },
];

/** The folder of each platform's pipeline files in a project; its scripts are in `pipelines/scripts`. */
export const PIPELINES = { github: ".github/workflows", gitlab: "." } as const;
export type Pipelines = keyof typeof PIPELINES;

/** The parameters of a new project. */
export interface ProjectParameters {
  readonly template: Template;
  readonly name: string;
  readonly pipelines: Pipelines | undefined;
}

const PACKAGE = join(__dirname, "../../..");

/** The project's .gitignore: installed packages and compiled files. */
const IGNORED = "node_modules/\nbin/\n";

/** Creates a project in a folder that is empty or does not exist. */
export function layOut(folder: string, { template, name, pipelines }: ProjectParameters): void {
  const from = join(PACKAGE, "examples/templates", template.name);
  const words = { PROJECT: name, DESCRIPTION: `Manages ${template.creates}.` };
  for (const file of filesIn(from)) write(join(folder, file), fillFile(join(from, file), words));
  // npm leaves files of this name out of a package.
  write(join(folder, ".gitignore"), IGNORED);
  if (pipelines === undefined) return;
  const examples = join(PACKAGE, "examples/pipelines");
  const others = Object.keys(PIPELINES).filter((platform) => platform !== pipelines);
  for (const file of filesIn(join(examples, "scripts")))
    if (!others.some((platform) => file.startsWith(platform)))
      copy(join(examples, "scripts", file), join(folder, "pipelines/scripts", file));
  for (const file of filesIn(join(examples, pipelines)))
    copy(join(examples, pipelines, file), join(folder, PIPELINES[pipelines], file));
}

/**
 * Fills in a template's file. It adds the plugin to Pulumi.yaml only here, because `pulumi new` cannot find the plugin
 * before the package is installed.
 */
function fillFile(file: string, words: Readonly<Record<string, string>>): string {
  const text = readFileSync(file, "utf8").replace(/\$\{([A-Z]+)\}/g, (all, word) => words[word] ?? all);
  if (!file.endsWith("Pulumi.yaml")) return text;
  return withPlugin(text.replace(/^template:\n(?: .*\n)+/m, ""), PLUGIN).text;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

import { existsSync, readdirSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { Argument, Command, Option } from "commander";
import { helpSections } from "../help";
import { Refusal } from "../refusal";
import { layOut, PIPELINES, type Pipelines, TEMPLATES, type Template } from "./templates";

interface NewOptions {
  readonly name?: string;
  readonly pipelines: Pipelines | "none";
}

/** `quarterdeck new`. */
export function newCommand(): Command {
  return new Command("new")
    .summary("Create a project from a template")
    .description(
      "Create a project: a program, its tests, a configuration for the mock servers, and pipelines",
    )
    .addArgument(new Argument("[template]", "A template or product; omit it to print all templates"))
    .addArgument(new Argument("[folder]", "A new or empty folder (default: the template's name)"))
    .option("--name <name>", "Name the project (default: the folder's name)")
    .addOption(
      new Option("--pipelines <platform>", "Add the pipeline files of this platform")
        .choices([...Object.keys(PIPELINES), "none"])
        .default("github"),
    )
    .addHelpText("after", HELP)
    .action((template: string | undefined, folder: string | undefined, options: NewOptions) => {
      for (const line of template === undefined
        ? templateList()
        : createProject(templateOf(template), folder, options))
        console.log(line);
    });
}

const HELP = helpSections({
  examples: [
    "quarterdeck new",
    "quarterdeck new nomad shop",
    "quarterdeck new vault shop --pipelines gitlab",
  ],
  exitCodes: { 0: "Success", 1: "Error: the folder is not empty, or a name is invalid" },
});

function templateList(): readonly string[] {
  const rows = TEMPLATES.map(({ name, aliases, creates }) => ({
    names: [name, ...aliases].join(", "),
    creates,
  }));
  const width = Math.max(...rows.map(({ names }) => names.length));
  return rows.map(({ names, creates }) => `${names.padEnd(width)}  ${creates}`);
}

function templateOf(asked: string): Template {
  const found = TEMPLATES.find(({ name, aliases }) => name === asked || aliases.includes(asked));
  if (found !== undefined) return found;
  throw new Refusal(`unknown template "${asked}". Templates:\n${templateList().join("\n")}`);
}

/** Creates the project, and returns the next steps in it. */
function createProject(
  template: Template,
  folder: string | undefined,
  options: NewOptions,
): readonly string[] {
  const place = resolve(folder ?? template.name);
  if (existsSync(place) && readdirSync(place).length > 0)
    throw new Refusal(`${place} is not empty.\nUse an empty or a new folder`);
  const name = options.name ?? basename(place);
  // Pulumi accepts this as a project name, and npm as a package name.
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    throw new Refusal(
      `"${name}" is not a valid project name.\nUse lower-case letters, digits, dots, dashes and underscores. Set it with --name`,
    );
  const pipelines = options.pipelines === "none" ? undefined : options.pipelines;
  layOut(place, { template, name, pipelines });
  const there = relative(process.cwd(), place) || ".";
  return [
    `Created ${there}: ${template.creates}`,
    "",
    "Next steps:",
    ...(there === "." ? [] : [`  cd ${there}`]),
    "  npm install",
    "  npm test        tests the program on mock servers in memory",
    "  npm run stub    starts mock servers, for `pulumi up` in another terminal",
    "",
    "To use a real server, see README.md in the project.",
  ];
}

import { existsSync, readdirSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { Argument, Command, Option } from "commander";
import { Refusal } from "../refusal";
import { layOut, PIPELINES, type Pipelines, TEMPLATES, type Template } from "./templates";

interface NewOptions {
  readonly name?: string;
  readonly pipelines: Pipelines | "none";
}

/** `quarterdeck new`. */
export function newCommand(): Command {
  return new Command("new")
    .description("makes a project: a program, its tests, its configuration for the stub, pipelines")
    .addArgument(new Argument("[template]", "what it manages; without it, all that there are"))
    .addArgument(new Argument("[folder]", "where to, a new or an empty one; else one of the template's name"))
    .option("--name <name>", "the project's name; else the folder's")
    .addOption(
      new Option("--pipelines <platform>", "whose pipeline files it gets")
        .choices([...Object.keys(PIPELINES), "none"])
        .default("github"),
    )
    .action((template: string | undefined, folder: string | undefined, options: NewOptions) => {
      for (const line of template === undefined
        ? templateList()
        : createProject(templateOf(template), folder, options))
        console.log(line);
    });
}

function templateList(): readonly string[] {
  const rows = TEMPLATES.map(({ name, aliases, says }) => ({ names: [name, ...aliases].join(", "), says }));
  const width = Math.max(...rows.map(({ names }) => names.length));
  return rows.map(({ names, says }) => `${names.padEnd(width)}  ${says}`);
}

function templateOf(asked: string): Template {
  const found = TEMPLATES.find(({ name, aliases }) => name === asked || aliases.includes(asked));
  if (found !== undefined) return found;
  throw new Refusal(`there is no template "${asked}"; there are\n${templateList().join("\n")}`);
}

/** Creates the project, and returns the next steps in it. */
function createProject(
  template: Template,
  folder: string | undefined,
  options: NewOptions,
): readonly string[] {
  const place = resolve(folder ?? template.name);
  if (existsSync(place) && readdirSync(place).length > 0)
    throw new Refusal(`${place} is not empty; name a folder that is, or one that is not there`);
  const name = options.name ?? basename(place);
  // Pulumi accepts this as a project name, and npm as a package name.
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
    throw new Refusal(
      `"${name}" is no name for a project: small letters, digits, dots, dashes and underscores; --name gives it another one`,
    );
  const pipelines = options.pipelines === "none" ? undefined : options.pipelines;
  layOut(place, { template, name, pipelines });
  const there = relative(process.cwd(), place) || ".";
  return [
    `made ${there}: ${template.says}`,
    "",
    "what to do in it:",
    ...(there === "." ? [] : [`  cd ${there}`]),
    "  npm install",
    "  npm test        tries the program on control planes in memory",
    "  npm run stub    serves them, for `pulumi up` in another terminal",
    "",
    "README.md says how a real server is set.",
  ];
}

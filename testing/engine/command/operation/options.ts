import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ORGANIZATION } from "../../backend/reference";
import type { DeployOptions, Program } from "../../deployment/operation/options";
import { Refusal, Unserved } from "../../refusal";
import type { Invocation } from "../line/invocation";
import type { Project } from "../workspace/project";
import type { Kind, OperationSubject } from "./subject";

/** Converts a command line to the options of a deployment. */
export function deployOptions(
  { invocation, project, reference, config }: OperationSubject,
  kind: Kind,
  preview: boolean,
): Omit<DeployOptions, "snapshot" | "save" | "emit"> {
  const { flags, environment, signal } = invocation;
  const targets = flags.list("target");
  const parallel = flags.number("parallel", 0);
  return {
    kind: preview && kind === "up" ? "preview" : kind,
    ...((kind === "refresh" || kind === "destroy") && { previewOnly: preview }),
    project: project.name,
    stack: reference.name,
    organization: ORGANIZATION,
    workingDirectory: programFolder(project),
    program: programOf(invocation, project),
    plugins: pluginsOf(project),
    environment: Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    config,
    ...(targets.length > 0 && { targets }),
    ...((kind === "up" || kind === "preview") && { replaced: flags.list("replace") }),
    targetDependents: flags.isSet("target-dependents"),
    ...(parallel > 0 && { parallel }),
    refreshFirst: flags.isSet("refresh"),
    runProgram: flags.isSet("run-program"),
    continueOnError: flags.isSet("continue-on-error"),
    ...(signal && { signal }),
  };
}

/**
 * The folder in `main`, or the folder of the file in `main`. For inline programs the Automation API writes the calling
 * process's folder there.
 */
function programFolder({ root, main = "." }: Project): string {
  const path = resolve(root, main);
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}

function pluginsOf({ plugins }: Project): Project["plugins"] {
  const missing = plugins.find(({ path }) => !statSync(path, { throwIfNoEntry: false })?.isDirectory());
  if (missing) {
    throw new Refusal(`parsing plugin options for '${missing.name}': no folder at path '${missing.path}'`);
  }
  return plugins;
}

function programOf({ flags }: Invocation, project: Project): Program {
  const client = flags.text("client");
  if (client !== undefined) return { inline: client };
  if (project.runtime !== "nodejs") throw new Unserved(`the runtime ${project.runtime}`);
  return {
    local: {
      root: project.root,
      ...(project.main !== undefined && { main: project.main }),
      options: project.runtimeOptions,
    },
  };
}

import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { readTextIfPresent, writeTextAtomically } from "../../backend/files";
import type { Environment } from "../line/invocation";
import type { Project } from "./project";

interface Workspace {
  readonly stacks?: Readonly<Record<string, string>>;
}

/** The qualified name of the stack selected for a project on a backend. The CLI uses the same file. */
export function selectedStack(project: Project, url: string, environment: Environment): string | undefined {
  return environment.PULUMI_STACK || read(project, environment).stacks?.[url];
}

/** Selects a stack, or clears the selection. */
export function selectStack(
  project: Project,
  url: string,
  environment: Environment,
  stack: string | undefined,
): void {
  const workspace = read(project, environment);
  const { [url]: _, ...others } = workspace.stacks ?? {};
  const stacks = stack === undefined ? others : { ...others, [url]: stack };
  writeTextAtomically(fileOf(project, environment), JSON.stringify({ ...workspace, stacks }, null, 4));
}

function read(project: Project, environment: Environment): Workspace {
  return JSON.parse(readTextIfPresent(fileOf(project, environment)) ?? "{}");
}

function fileOf(project: Project, environment: Environment): string {
  const home = environment.PULUMI_HOME || join(homedir(), ".pulumi");
  const digest = createHash("sha1").update(project.path).digest("hex");
  return join(home, "workspaces", `${project.name}-${digest}-workspace.json`);
}

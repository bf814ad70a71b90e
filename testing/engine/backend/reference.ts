import { join } from "node:path";
import { Refusal } from "../refusal";

/** The name of the only organization in the CLI's file backend. */
export const ORGANIZATION = "organization";

/** The project and the name of a stack. */
export interface StackReference {
  readonly project: string;
  readonly name: string;
}

/** `organization/<project>/<stack>`, as in checkpoints and locks. */
export const qualifiedName = ({ project, name }: StackReference): string =>
  `${ORGANIZATION}/${project}/${name}`;

/** The shortest unambiguous name of a stack inside `currentProject`. */
export function displayName(reference: StackReference, currentProject: string | undefined): string {
  return reference.project === currentProject ? reference.name : qualifiedName(reference);
}

/** Parses `<stack>`, `organization/<stack>` or `organization/<project>/<stack>`. */
export function parseReference(text: string, currentProject: string | undefined): StackReference {
  if (text === "") throw new Refusal("stack name must not be empty");
  const parts = text.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 1 && parts[0] !== ORGANIZATION) {
    throw new Refusal("organization name must be 'organization'");
  }
  const project = parts.length === 3 ? parts[1] : currentProject;
  if (project === undefined) {
    throw new Refusal(
      "no Pulumi.yaml project file found; either run this command from a directory containing a Pulumi " +
        "project, or pass the fully qualified stack name (organization/project/stack)",
    );
  }
  if (parts.length > 3 || !/^[\w.-]{1,100}$/.test(name)) {
    throw new Refusal(
      "a stack name may only contain alphanumeric, hyphens, underscores, or periods: " +
        `invalid character in '${name}'`,
    );
  }
  if (!/^[\w.-]{1,100}$/.test(project)) {
    throw new Refusal(
      "project names may only contain alphanumerics, hyphens, underscores, and periods: " +
        `invalid name '${project}'`,
    );
  }
  return { project, name };
}

/** The paths of a stack's files in the backend's folder. */
export function pathsOf(directory: string, { project, name }: StackReference) {
  const root = join(directory, ".pulumi");
  const checkpoint = join(root, "stacks", project, `${name}.json`);
  return {
    checkpoint,
    previous: `${checkpoint}.bak`,
    journal: `${checkpoint}.journal`,
    tags: join(root, "stacks", project, `${name}.pulumi-tags`),
    history: join(root, "history", project, name),
    backups: join(root, "backups", project, name),
    locks: join(root, "locks", ORGANIZATION, project, name),
  };
}

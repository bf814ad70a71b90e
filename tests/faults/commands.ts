import type { Values } from "../../provider/core/language/object";
import type { Resource } from "../steps/resource";

/** Whether the state holds anything of a resource. */
export function isInState({ outputs }: Resource): boolean {
  return outputs.__quarterdeck !== undefined;
}

/** A `pulumi up`: creates, updates, or deletes and creates where an update cannot bring it about. */
export async function up(resource: Resource, program: Values, kept: () => void = () => undefined) {
  if (!isInState(resource)) return resource.create(program);
  if (resource.preview(program).changes.every(({ replaces }) => !replaces)) {
    await resource.up(program);
    return;
  }
  await destroy(resource, kept);
  await resource.create(program);
}

/** A `pulumi destroy`. */
export async function destroy(resource: Resource, kept: () => void = () => undefined): Promise<void> {
  if (!isInState(resource)) return;
  await resource.delete();
  forget(resource);
  kept();
}

/** A `pulumi refresh`: what is gone leaves the state. */
export async function refresh(resource: Resource): Promise<void> {
  if (isInState(resource) && !(await resource.refresh())) forget(resource);
}

function forget(resource: Resource): void {
  resource.id = "";
  resource.outputs = {};
  resource.inputs = {};
}

/** What a command told; undefined where it ended well. */
export async function failureOf(command: Promise<unknown>): Promise<Error | undefined> {
  try {
    await command;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

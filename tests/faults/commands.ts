import type { Values } from "../../provider/core/language/object";
import type { Resource } from "../steps/resource";

/** Whether the state contains the resource. */
export function isInState({ outputs }: Resource): boolean {
  return outputs.__quarterdeck !== undefined;
}

/** A `pulumi up`: creates, updates, or replaces if an update is not possible. */
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

/** A `pulumi refresh`: removes a deleted object from the state. */
export async function refresh(resource: Resource): Promise<void> {
  if (isInState(resource) && !(await resource.refresh())) forget(resource);
}

function forget(resource: Resource): void {
  resource.id = "";
  resource.outputs = {};
  resource.inputs = {};
}

/** The error of a command; undefined if it succeeded. */
export async function failureOf(command: Promise<unknown>): Promise<Error | undefined> {
  try {
    await command;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

import type { Values } from "../../provider/core/language/object";
import { AlreadyExistsError } from "../../provider/core/state/errors";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import type { World } from "./world";

/** Does what a user does after a failed create: a second up, with `adopt` if the message asks for it. */
export async function completeCreate(resource: Resource, program: Values): Promise<void> {
  try {
    if (resource.id === "") await resource.create(program);
    else await resource.up(program);
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    expect(error.message).toContain("adopt");
    await resource.create({ ...program, adopt: true });
    await resource.up(program);
  }
}

/** Whether another user no longer finds a resource. */
export async function isDeleted(subject: Subject, world: World, resource: Resource): Promise<boolean> {
  if (subject.isTakenAway) return subject.isTakenAway(world, resource);
  const other = new Resource(world, subject.definition);
  other.id = resource.id;
  other.outputs = resource.outputs;
  return !(await other.refresh());
}

import type { Values } from "../../provider/core/language/object";
import { AlreadyExistsError } from "../../provider/core/state/errors";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import type { World } from "./world";

/** What a user does after a failed create: another up, and `adopt` where the message asks for it. */
export async function createdAtLast(resource: Resource, program: Values): Promise<void> {
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

/** Whether somebody who looks now finds nothing of a resource. */
export async function isGone(subject: Subject, world: World, resource: Resource): Promise<boolean> {
  if (subject.isTakenAway) return subject.isTakenAway(world, resource);
  const stranger = new Resource(world, subject.definition);
  stranger.id = resource.id;
  stranger.outputs = resource.outputs;
  return !(await stranger.refresh());
}

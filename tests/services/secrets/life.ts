import type { Values } from "../../../provider/core/language/object";
import type { Trial } from "../../steps/procedures";
import { Resource } from "../../steps/resource";
import type { Subject } from "../../steps/subject";
import type { World } from "../../steps/world";

/** The mounts stay where the stub has them; all else goes by the real product's names. */
export const REAL = { dialect: "real", queueMount: "msgq", cloudMount: "cloud", directoryMount: "ldap" };

/** An object is created, updated, refreshed and found, and quiet after each. */
export async function expectQuietLife(
  world: World,
  { definition }: Subject,
  first: Values,
  second: Values,
): Promise<Resource> {
  const resource = new Resource(world, definition);
  await resource.create(first);
  expect(resource.preview(first).changes).toEqual([]);
  await resource.up(second);
  expect(resource.preview(second).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(second).changes).toEqual([]);
  const read = new Resource(world, definition);
  await read.get(resource.id);
  expect(read.preview(read.inputs).changes).toEqual([]);
  return resource;
}

/** A procedure comes to its end, is quiet, and goes. */
export async function expectEnd(
  { definition, scene }: Trial,
  inOther: (world: World) => World,
): Promise<void> {
  const { world, program } = await scene();
  const resource = new Resource(inOther(world), definition);
  await resource.create(program);
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  await resource.delete();
}

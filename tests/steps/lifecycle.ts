import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Trial } from "./procedures";
import { Resource } from "./resource";
import type { World } from "./world";

/** Creates, updates, refreshes and imports an object, and expects no changes after each step. */
export async function expectLifecycleWithoutChanges(
  world: World,
  { definition }: { readonly definition: AnyDefinition },
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

/** Runs a procedure to its end, expects no changes, and deletes it. */
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

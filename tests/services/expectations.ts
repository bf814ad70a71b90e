import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Inputs } from "../../provider/core/value/unknown";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";

/** The preview shows no changes, before and after a refresh. */
export async function expectNoChanges(resource: Resource, inputs: Inputs): Promise<void> {
  expect(resource.preview(inputs).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(inputs).changes).toEqual([]);
}

/** Creates the resource and expects that previews then show no changes. */
export async function expectCreate(resource: Resource, inputs: Values): Promise<void> {
  await resource.create(inputs);
  await expectNoChanges(resource, inputs);
}

/** Updates the resource and expects that previews then show no changes. */
export async function expectUpdate(resource: Resource, inputs: Values): Promise<void> {
  expect(await resource.up(inputs)).toBe(true);
  await expectNoChanges(resource, inputs);
}

/** The paths of the changes that a preview shows. */
export const changedPaths = (resource: Resource, inputs: Inputs) =>
  resource.preview(inputs).changes.map(({ path }) => path.join("."));

/** The first property of each change that replaces the resource. */
export const replacedBy = (resource: Resource, inputs: Inputs) =>
  resource.preview(inputs).changes.flatMap(({ path, replaces }) => (replaces ? [path[0]] : []));

/** The problems that a check finds, one string each. */
export const problemsOf = (resource: Resource, inputs: Inputs) =>
  resource.check(inputs).map(({ path, reason }) => `${path}: ${reason}`);

/** The notes of the preview of a create. */
export const notesOfCreate = (definition: AnyDefinition, inputs: Inputs): readonly string[] =>
  definition.notes?.({ step: "create", inputs, changed: [] }) ?? [];

/** A copy of the resource and its state that uses a different connection. */
export function inWorld(resource: Resource, world: World): Resource {
  const { id, outputs, inputs } = resource;
  return Object.assign(new Resource(world, resource.definition), { id, outputs, inputs });
}

/** The bodies of the requests of this method, in order. */
export const bodiesOf = ({ requests }: World, method: string) =>
  requests.flatMap((request) => (request.method === method ? [request.body] : []));

/** The number of requests with this method. */
export const countOf = ({ requests }: World, method: string) =>
  requests.filter((request) => request.method === method).length;

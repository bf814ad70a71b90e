import type { Values } from "../../provider/core/language/object";
import { BY_LIST } from "../steps/byList";
import { destroy, up } from "./commands";
import type { Life } from "./tried";

/** A scenario with a program. */
export interface Written extends Life {
  readonly program: Values;
}

/** Creates an object. */
export const created = (program: Values): Written => ({
  kind: "create",
  name: "create",
  program,
  before: async () => undefined,
  command: (resource) => resource.create(program),
});

/** Updates an object from one program to another. */
export const changed = (from: Values, to: Values): Written => ({
  kind: "update",
  name: "update",
  program: to,
  before: (resource) => resource.create(from),
  command: (resource, kept) => up(resource, to, kept),
});

/** Refreshes an object. */
export const refreshed = (program: Values): Written => ({
  kind: "refresh",
  name: "refresh",
  program,
  before: (resource) => resource.create(program),
  command: (resource) => resource.refresh(),
});

/** Refreshes an object together with others, so that the refresh uses a list. */
export const refreshedByList = (program: Values): Written => ({
  ...refreshed(program),
  name: "refresh by a list",
  command: (resource) => resource.refresh(BY_LIST),
});

/** Deletes an object. */
export const deleted = (program: Values): Written => ({
  kind: "delete",
  name: "delete",
  program,
  ends: true,
  before: (resource) => resource.create(program),
  command: (resource, kept) => destroy(resource, kept),
});

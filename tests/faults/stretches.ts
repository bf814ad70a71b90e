import type { Values } from "../../provider/core/language/object";
import { BY_LIST } from "../steps/byList";
import { destroy, up } from "./commands";
import type { Life } from "./tried";

/** A life whose end a program says. */
export interface Written extends Life {
  readonly program: Values;
}

/** What is not there yet is made. */
export const created = (program: Values): Written => ({
  kind: "create",
  name: "create",
  program,
  before: async () => undefined,
  command: (resource) => resource.create(program),
});

/** What one program made is brought to what another says. */
export const changed = (from: Values, to: Values): Written => ({
  kind: "update",
  name: "update",
  program: to,
  before: (resource) => resource.create(from),
  command: (resource, kept) => up(resource, to, kept),
});

/** What is there is looked at. */
export const refreshed = (program: Values): Written => ({
  kind: "refresh",
  name: "refresh",
  program,
  before: (resource) => resource.create(program),
  command: (resource) => resource.refresh(),
});

/** The same where others are looked at, too, so that a list is asked for. */
export const refreshedByList = (program: Values): Written => ({
  ...refreshed(program),
  name: "refresh by a list",
  command: (resource) => resource.refresh(BY_LIST),
});

/** What is there is taken away. */
export const deleted = (program: Values): Written => ({
  kind: "delete",
  name: "delete",
  program,
  ends: true,
  before: (resource) => resource.create(program),
  command: (resource, kept) => destroy(resource, kept),
});

import type { Values } from "../../provider/core/language/object";
import { BY_LIST } from "../steps/byList";
import { destroy, up } from "./commands";
import type { Scenario } from "./faultSubject";

/** A scenario with a program. */
export interface ProgramScenario extends Scenario {
  readonly program: Values;
}

/** Creates an object. */
export const createScenario = (program: Values): ProgramScenario => ({
  kind: "create",
  name: "create",
  program,
  before: async () => undefined,
  command: (resource) => resource.create(program),
});

/** Updates an object from one program to another. */
export const updateScenario = (from: Values, to: Values): ProgramScenario => ({
  kind: "update",
  name: "update",
  program: to,
  before: (resource) => resource.create(from),
  command: (resource, kept) => up(resource, to, kept),
});

/** Refreshes an object. */
export const refreshScenario = (program: Values): ProgramScenario => ({
  kind: "refresh",
  name: "refresh",
  program,
  before: (resource) => resource.create(program),
  command: (resource) => resource.refresh(),
});

/** Refreshes an object together with others, so that the refresh uses a list. */
export const listRefreshScenario = (program: Values): ProgramScenario => ({
  ...refreshScenario(program),
  name: "refresh by a list",
  command: (resource) => resource.refresh(BY_LIST),
});

/** Deletes an object. */
export const deleteScenario = (program: Values): ProgramScenario => ({
  kind: "delete",
  name: "delete",
  program,
  deletesObject: true,
  before: (resource) => resource.create(program),
  command: (resource, kept) => destroy(resource, kept),
});

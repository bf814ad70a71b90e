import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import type { PropertyMap, ResourceState } from "../state";
import { type Alias, readAlias } from "./aliases";
import { refuseUnserved } from "./asked";
import { fromStruct } from "./wire";

/** What the program wants of one resource. */
export interface Goal {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly inputs: PropertyMap;
  readonly parent?: string;
  readonly provider?: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly aliases: readonly Alias[];
  readonly protect?: boolean | undefined;
  readonly retainOnDelete?: boolean | undefined;
  readonly deletedWith?: string;
  readonly deleteBeforeReplace?: boolean;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly customTimeouts: NonNullable<ResourceState["customTimeouts"]>;
  readonly position: Position;
}

/** Where in the program it is asked for, as the state keeps it. */
export interface Position {
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

/** A goal of the engine's own, with nothing but what it cannot do without. */
export function plainGoal(goal: Pick<Goal, "type" | "name" | "custom" | "inputs">): Goal {
  return {
    ...goal,
    dependencies: [],
    propertyDependencies: {},
    aliases: [],
    ignoreChanges: [],
    replaceOnChanges: [],
    additionalSecretOutputs: [],
    customTimeouts: {},
    position: {},
  };
}

/** Reads a registration; what the engine cannot do for a resource it refuses by the option's name. */
export function readGoal(request: RegisterResourceRequest, position: Position): Goal {
  refuseUnserved(request);
  const dependencies = request.getDependenciesList();
  const inputs = fromStruct(request.getObject());
  const perProperty: [string, readonly string[]][] = [];
  request.getPropertydependenciesMap().forEach((needed, name) => {
    perProperty.push([name, needed.getUrnsList()]);
  });
  const propertyDependencies =
    perProperty.length > 0
      ? Object.fromEntries(perProperty)
      : Object.fromEntries(Object.keys(inputs).map((name) => [name, dependencies]));
  const parent = request.getParent();
  const deletedWith = request.getDeletedwith();
  const knowsOrder = request.getDeletebeforereplacedefined() || request.getDeletebeforereplace();
  return {
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    inputs,
    ...(parent && { parent }),
    dependencies,
    propertyDependencies,
    aliases: [
      ...request.getAliasurnsList().map((urn) => ({ urn })),
      ...request.getAliasesList().map((alias) => readAlias(alias, request.getAliasspecs())),
    ],
    ...(request.hasProtect() && { protect: request.getProtect() }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() }),
    ...(deletedWith && { deletedWith }),
    ...(knowsOrder && { deleteBeforeReplace: request.getDeletebeforereplace() }),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    customTimeouts: timeouts(request.getCustomtimeouts()),
    position,
  };
}

function timeouts(asked: RegisterResourceRequest.CustomTimeouts | undefined): Goal["customTimeouts"] {
  const [create, update, remove] = [asked?.getCreate(), asked?.getUpdate(), asked?.getDelete()];
  return {
    ...(create && { create: seconds(create) }),
    ...(update && { update: seconds(update) }),
    ...(remove && { delete: seconds(remove) }),
  };
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** A duration like `1h2m3.5s`. */
function seconds(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([all]) => all).join("") !== text) {
    throw new Error(`unable to parse customTimeout Value ${text}`);
  }
  return parts.reduce((sum, [, amount, unit = "s"]) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}

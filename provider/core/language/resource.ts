import type { BlockedByOthers } from "./commandWrites";
import type { Creation, Deletion, DetectedByRead, PlainDelete, Stays } from "./creation";
import { type DefinitionBase, fieldsOf, type Specified } from "./fields";
import type { Action, Procedure, WriteOnly } from "./lifecycles";
import type { AbsenceProof, Reads } from "./reads";
import { partsInPath, type Route } from "./route";
import type { Dialect, ServiceAbsenceProof } from "./service";
import type { HookContext, ObjectHookContext } from "./stepInput";
import type { CheckAndSet, Link, Writes } from "./writes";

/** The kind of a resource. */
export type Lifecycle = ObjectLifecycle | Action | WriteOnly | Procedure;

/** An object: created, read, updated and deleted. */
export interface ObjectLifecycle<R extends Reads = Reads> {
  readonly kind: "object";
  readonly reads: R;
  readonly writes: Writes;
  /**
   * The service's check at the moment of a write. Without it, Quarterdeck reads and compares the object just before the
   * write.
   */
  readonly check?: CheckAndSet;
  readonly creation: Creation;
  readonly deletion: Deletion;
  /** The parts of the object that have requests of their own. */
  readonly links: readonly Link[];
  /** The rejections that end once another resource of the program is written. */
  readonly blocked?: BlockedByOthers;
}

/** An object's kind, as a definition declares it. */
type LifecycleInput<R extends Reads> = {
  readonly reads: R;
  readonly writes: Writes;
  readonly links?: readonly Link[];
  readonly blocked?: BlockedByOthers;
} & (Guarded | Unguarded);

/** The service checks writes: only its check, and no other rejection, reports an existing object. */
interface Guarded {
  readonly check: CheckAndSet;
  readonly creation?: Creation & { readonly existing?: DetectedByRead };
  readonly deletion: Deletion;
}

/** The service does not check writes, and therefore does not check deletes. */
interface Unguarded {
  readonly check?: undefined;
  readonly creation?: Creation;
  readonly deletion: PlainDelete | Stays;
}

/** Defines the kind of an object. */
export function object<const R extends Reads>(given: LifecycleInput<R>): ObjectLifecycle<R> {
  const { check, ...life } = given;
  return { kind: "object", creation: {}, links: [], ...life, ...(check && { check }) };
}

/** A resource: its type, its address and its kind. Default: an object. */
export interface Definition<L extends Lifecycle = ObjectLifecycle> extends DefinitionBase {
  readonly life: L;
  /** The same resource for servers of a dialect, if programs write a document of it in those servers' own names. */
  readonly inDialect?: (dialect: Dialect) => AnyDefinition;
}

/** A resource of any kind. */
export type AnyDefinition = Definition<Lifecycle>;

/** Requires that the service, or else the definition, has the proof that an object no longer exists. */
type Provable<D> = D extends { life: { kind: "object"; reads: infer R }; service: infer S }
  ? R extends { absence: AbsenceProof }
    ? unknown
    : S extends { absence: ServiceAbsenceProof }
      ? unknown
      : { readonly life: { readonly reads: { readonly absence: AbsenceProof } } }
  : unknown;

/** Returns the definition after checking that all its properties have facts. */
export function define<D extends AnyDefinition>(definition: D & Provable<D>): D {
  fieldsOf(definition);
  return definition;
}

/** A definition as programs write it for servers of this dialect. */
export function inDialect(definition: AnyDefinition, dialect: Dialect): AnyDefinition {
  return definition.inDialect?.(dialect) ?? definition;
}

/** True if a resource is of this kind. */
export function hasLifecycle<K extends Lifecycle["kind"]>(
  definition: AnyDefinition,
  kind: K,
): definition is Definition<Extract<Lifecycle, { kind: K }>> {
  return definition.life.kind === kind;
}

/** True if a replacement is created before the old object is deleted, because both can exist at a time. */
export function isCreatedBeforeDelete({ life }: AnyDefinition): boolean {
  return life.kind === "procedure" && life.createBeforeDelete === true;
}

/** True for a resource, false for a function. */
export function isResource(specified: Specified): specified is AnyDefinition {
  return "life" in specified;
}

/** The address parts that a create requires: those in the path of its request. */
export function partsToMake({ life }: AnyDefinition): readonly string[] {
  const route = makingRoute(life);
  return route === undefined ? [] : partsInPath(route);
}

function makingRoute(life: Lifecycle): Route | undefined {
  switch (life.kind) {
    case "object":
      return life.writes.create;
    case "action":
      return life.route;
    case "writeOnly":
      return life.route;
    default:
      return undefined;
  }
}

/** The input of a step: a definition, and everything that requests to its service need. */
export interface StepContext<D extends DefinitionBase = DefinitionBase> extends HookContext {
  readonly definition: D;
}

/** A step context for an object. */
export interface ObjectContext extends ObjectHookContext {
  readonly definition: Definition;
}

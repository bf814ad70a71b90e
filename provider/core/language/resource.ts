import type { Creation, Deletion, LookedFor, PlainDelete, Stays } from "./creation";
import { type DefinitionBase, fieldsOf, type Specified } from "./fields";
import type { Action, Procedure, WriteOnly } from "./lives";
import type { GoneProof, Reads } from "./reads";
import { partsInPath, type Route } from "./route";
import type { Dialect, ServiceGoneProof } from "./service";
import type { HookContext, ObjectHookContext } from "./stepInput";
import type { CheckAndSet, Link, Writes } from "./writes";

/** How a resource lives. */
export type Life = ObjectLife | Action | WriteOnly | Procedure;

/** The life of an object, which is created, read, updated and deleted. */
export interface ObjectLife<R extends Reads = Reads> {
  readonly kind: "object";
  readonly reads: R;
  readonly writes: Writes;
  /** How the service checks at the moment of writing; without it the object is read and compared just before. */
  readonly check?: CheckAndSet;
  readonly creation: Creation;
  readonly deletion: Deletion;
  /** The parts of it that have requests of their own. */
  readonly links: readonly Link[];
}

/** What a definition says of an object's life. */
type GivenLife<R extends Reads> = {
  readonly reads: R;
  readonly writes: Writes;
  readonly links?: readonly Link[];
} & (Guarded | Unguarded);

/** The service checks writes: what exists already is told by its check, and by no other refusal. */
interface Guarded {
  readonly check: CheckAndSet;
  readonly creation?: Creation & { readonly existing?: LookedFor };
  readonly deletion: Deletion;
}

/** The service does not check writes, and so no deletes either. */
interface Unguarded {
  readonly check?: undefined;
  readonly creation?: Creation;
  readonly deletion: PlainDelete | Stays;
}

/** The life of an object. */
export function object<const R extends Reads>(given: GivenLife<R>): ObjectLife<R> {
  const { check, ...life } = given;
  return { kind: "object", creation: {}, links: [], ...life, ...(check && { check }) };
}

/** A resource: what it is, where it is, and how it lives. An object's where nothing else is said. */
export interface Definition<L extends Life = ObjectLife> extends DefinitionBase {
  readonly life: L;
  /** The same resource for servers of a dialect, if programs write a document of it in those servers' own names. */
  readonly inDialect?: (dialect: Dialect) => AnyDefinition;
}

/** A resource of whichever kind. */
export type AnyDefinition = Definition<Life>;

/** Requires that the service, or else the definition, says what proves that an object is gone. */
type Provable<D> = D extends { life: { kind: "object"; reads: infer R }; service: infer S }
  ? R extends { gone: GoneProof }
    ? unknown
    : S extends { gone: ServiceGoneProof }
      ? unknown
      : { readonly life: { readonly reads: { readonly gone: GoneProof } } }
  : unknown;

/** Checks a definition once, and gives its properties with their facts. */
export function define<D extends AnyDefinition>(definition: D & Provable<D>): D {
  fieldsOf(definition);
  return definition;
}

/** A definition as programs write it for servers of this dialect. */
export function inDialect(definition: AnyDefinition, dialect: Dialect): AnyDefinition {
  return definition.inDialect?.(dialect) ?? definition;
}

/** Whether a resource lives in this way. */
export function livesAs<K extends Life["kind"]>(
  definition: AnyDefinition,
  kind: K,
): definition is Definition<Extract<Life, { kind: K }>> {
  return definition.life.kind === kind;
}

/** Whether a replacement is created before what it replaces is deleted, because both can exist at a time. */
export function isCreatedBeforeDelete({ life }: AnyDefinition): boolean {
  return life.kind === "procedure" && life.createBeforeDelete === true;
}

/** Whether this is a resource, and not a function. */
export function isResource(specified: Specified): specified is AnyDefinition {
  return "life" in specified;
}

/** The parts of the address without which a resource cannot be made: those in the path of the request that makes it. */
export function partsToMake({ life }: AnyDefinition): readonly string[] {
  const route = makingRoute(life);
  return route === undefined ? [] : partsInPath(route);
}

function makingRoute(life: Life): Route | undefined {
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

/** Everything that a step works with: a definition, and what it takes to ask its service. */
export interface StepContext<D extends DefinitionBase = DefinitionBase> extends HookContext {
  readonly definition: D;
}

/** The same for an object. */
export interface ObjectContext extends ObjectHookContext {
  readonly definition: Definition;
}

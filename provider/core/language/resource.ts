import { fieldsOf } from "./fields";
import type { Life, ObjectLife } from "./life";
import type { GoneProof } from "./reads";
import { partsInPath, type Route } from "./route";
import type { Dialect, ServiceGoneProof } from "./service";
import type { DefinitionBase, Specified } from "./specified";

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

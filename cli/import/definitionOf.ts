import { catalog } from "../../provider/catalog";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { ownMember } from "../../provider/core/value/json";

/**
 * The definition of a type of this package, `scheduler:Job`.
 * @throws TypeError if this package has no such type
 */
export function definitionOf(token: string): AnyDefinition {
  const definition = ownMember(catalog, token)?.();
  if (definition === undefined) throw new TypeError(`this package has no resource ${token}`);
  return definition;
}

import type { Field } from "../language/fields";

/**
 * Whether others may add to a property, as these inputs ask for it: then only what the program wrote is managed. Where
 * the property can be additive and is not, the program asks for exactly what it writes, and whatever else is there goes.
 */
export function isAdditive({ facts }: Field, inputs: Readonly<Record<string, unknown>>): boolean {
  const { additive } = facts;
  return additive === true || (additive !== undefined && inputs[additive.unless] !== true);
}

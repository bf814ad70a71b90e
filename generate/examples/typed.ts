import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { DefinitionBase } from "../../provider/core/language/fields";
import { isWritable } from "../../provider/core/language/role";
import { describeFunction } from "../functions";
import { declaredShape } from "../schemaTypes";
import { type Property, propertiesOf, type Shape } from "../shape";

/** What a package's programs may write. */
export interface Signatures {
  /** The properties that a program may write of a resource, or a function's arguments, by its token. */
  readonly of: (token: string) => readonly Property[];
  readonly isResource: (token: string) => boolean;
}

/** Those of these resources and functions. A token of none of them throws TypeError. */
export function signaturesOf(
  definitions: readonly DefinitionBase[],
  functions: readonly FunctionDefinition[],
): Signatures {
  const known = new Map<string, readonly Property[]>([
    ...definitions.map(
      (one) => [one.token, propertiesOf(one).filter(({ facts }) => isWritable(facts))] as const,
    ),
    ...functions.map((one) => [one.token, describeFunction(one).args] as const),
  ]);
  const resources = new Set<string>(definitions.map(({ token }) => token));
  return {
    of: (token) => {
      const properties = known.get(token);
      if (properties === undefined) throw new TypeError(`there is no ${token}`);
      return properties;
    },
    isResource: (token) => resources.has(token),
  };
}

const ANYTHING: Shape = { kind: "anything" };

/**
 * What a member of a value is declared as.
 * @param members undefined where the value's keys are its user's, or nobody declares them
 * @throws TypeError for a member that there is not
 */
export function memberShape(members: readonly Property[] | undefined, name: string): Shape {
  if (members === undefined) return ANYTHING;
  const member = members.find((property) => property.name === name);
  if (member === undefined) throw new TypeError(`there is no property ${name}`);
  return declaredShape(member.shape);
}

/** What each value in a list or a map of this shape is declared as. */
export function elementShape(shape: Shape): Shape {
  return shape.kind === "list" || shape.kind === "map" ? declaredShape(shape.of) : ANYTHING;
}

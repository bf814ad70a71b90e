import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { DefinitionBase } from "../../../provider/core/language/fields";
import { isWritable } from "../../../provider/core/language/role";
import { describeFunction } from "../functions";
import { declaredShape } from "../schemaTypes";
import { type Property, propertiesOf, type Shape } from "../shape";

/** The declared properties of a package's resources and functions. */
export interface Signatures {
  /** The inputs of a resource or the arguments of a function, by its token. */
  readonly of: (token: string) => readonly Property[];
  readonly isResource: (token: string) => boolean;
}

/** The signatures of these resources and functions. An unknown token throws TypeError. */
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
 * The declared shape of a member.
 * @param members undefined if the keys are the user's or are not declared
 * @throws TypeError for an unknown member
 */
export function memberShape(members: readonly Property[] | undefined, name: string): Shape {
  if (members === undefined) return ANYTHING;
  const member = members.find((property) => property.name === name);
  if (member === undefined) throw new TypeError(`there is no property ${name}`);
  return declaredShape(member.shape);
}

/** The declared shape of the elements of a list or a map. */
export function elementShape(shape: Shape): Shape {
  return shape.kind === "list" || shape.kind === "map" ? declaredShape(shape.of) : ANYTHING;
}

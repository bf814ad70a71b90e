import { type FunctionDefinition, type Json, type Values, wireName } from "../../core";

/** The documented members of a response, by their names in a program. Null members are omitted. */
export function documentedMembers(
  { result }: Pick<FunctionDefinition, "result">,
  body: { readonly [member: string]: Json },
): Values {
  return Object.fromEntries(
    Object.keys(result).flatMap((property) => {
      const value = body[wireName(property, "snake")];
      return value === undefined || value === null ? [] : [[property, value]];
    }),
  );
}

import { type FunctionDefinition, type Json, type Values, wireName } from "../../core";

/** The members of an answer that a function documents, by their names in a program. What is null is left out. */
export function documented(
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

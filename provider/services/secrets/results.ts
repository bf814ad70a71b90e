import type { FunctionDefinition } from "../../core/functions/define";
import { wireName } from "../../core/language/fields";
import type { Values } from "../../core/language/object";
import type { Json } from "../../core/value/json";

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

import type { Values } from "../../core/define";
import { wireName } from "../../core/fields";
import type { FunctionDefinition } from "../../core/functions/define";
import type { Json } from "../../core/json";

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

import type { FunctionDefinition } from "../../provider/core/functions/define";
import { fieldsOf } from "../../provider/core/language/fields";

type Known = Readonly<Record<string, unknown>>;

/** The arguments of a function, from everything that is known of an object; undefined if a required one is missing. */
export function argumentsOf(definition: FunctionDefinition, object: Known): Known | undefined {
  const args: Record<string, unknown> = {};
  for (const { name, schema } of fieldsOf(definition)) {
    const value = object[name];
    if (value !== undefined && schema.safeParse(value).success) args[name] = value;
    else if (!schema.safeParse(undefined).success) return undefined;
  }
  return args;
}

/** A program's values, under the names that addresses and function arguments use. */
export function namesIn(program: Known): Known {
  const { Name, Kind, ID } = program;
  const name = program.name ?? program.roleName ?? Name;
  return { name, kind: Kind, jobId: ID, version: 0, hcl: 'job "web" {}', ...program };
}

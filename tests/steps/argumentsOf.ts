import type { FunctionDefinition } from "../../provider/core/functions/define";
import { fieldsOf } from "../../provider/core/language/fields";

type Known = Readonly<Record<string, unknown>>;

/** What a function is asked with, of all that is known of an object; undefined where too little is known for it. */
export function argumentsOf(definition: FunctionDefinition, object: Known): Known | undefined {
  const args: Record<string, unknown> = {};
  for (const { name, schema } of fieldsOf(definition)) {
    const value = object[name];
    if (value !== undefined && schema.safeParse(value).success) args[name] = value;
    else if (!schema.safeParse(undefined).success) return undefined;
  }
  return args;
}

/** The names under which a program, an address and a function's arguments call the same. */
export function namesIn(program: Known): Known {
  const { Name, Kind, ID } = program;
  const name = program.name ?? program.roleName ?? Name;
  return { name, kind: Kind, jobId: ID, version: 0, hcl: 'job "web" {}', ...program };
}

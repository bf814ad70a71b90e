import { InvokeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { invoked } from "../../../../provider/core/bridge/plugin/functions";
import type { FunctionDefinition } from "../../../../provider/core/functions/define";
import { fieldsOf } from "../../../../provider/core/language/fields";
import type { World } from "../../../steps/world";
import { hostOf } from "../host";
import { type Bag, struct } from "./calls";

/** What a function is asked with, of all that is known of an object; undefined where too little is known for it. */
export function argumentsOf(definition: FunctionDefinition, object: Bag): Bag | undefined {
  const args: Record<string, unknown> = {};
  for (const { name, schema } of fieldsOf(definition)) {
    const value = object[name];
    if (value !== undefined && schema.safeParse(value).success) args[name] = value;
    else if (!schema.safeParse(undefined).success) return undefined;
  }
  return args;
}

/** The names under which a program, an address and a function's arguments call the same. */
export function namesIn(program: Bag): Bag {
  const { Name, Kind, ID } = program;
  const name = program.name ?? program.roleName ?? Name;
  return { name, kind: Kind, jobId: ID, version: 0, hcl: 'job "web" {}', ...program };
}

/** Calls a function as an engine does; its answer, as it is handed to the program. */
export async function invocation(
  definition: FunctionDefinition,
  world: World,
  args: Bag,
  preview = false,
): Promise<unknown> {
  const request = new InvokeRequest();
  request.setTok(definition.token);
  request.setArgs(struct(args));
  request.setPreview(preview);
  const around = { host: hostOf(() => world.connection, world.logged), signal: new AbortController().signal };
  return (await invoked(definition, request, around)).getReturn()?.toJavaScript();
}

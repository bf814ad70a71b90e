import { InvokeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { invoke } from "../../../../provider/core/bridge/plugin/queries";
import type { FunctionDefinition } from "../../../../provider/core/functions/define";
import type { World } from "../../../steps/world";
import { hostOf } from "../host";
import { type Bag, struct } from "./calls";

/** Calls a function as an engine does, and returns the answer as the program receives it. */
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
  return (await invoke(definition, request, around)).getReturn()?.toJavaScript();
}

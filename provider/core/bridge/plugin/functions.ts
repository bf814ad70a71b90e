import { type InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { callFunction } from "../../functions/call";
import type { FunctionDefinition } from "../../functions/define";
import { asKnown } from "../../value/unknown";
import { ENGINE_UNKNOWN, toEngine } from "../engineValues";
import type { Surroundings } from "./resource";
import { parseProperties, programInputsOf, structOf } from "./values";

/** Calls a function. A preview does not request credentials: their result is unknown there. */
export async function invoke(
  definition: FunctionDefinition,
  request: InvokeRequest,
  { host, signal, behalf = {} }: Surroundings,
): Promise<InvokeResponse> {
  const response = new InvokeResponse();
  // A function that always fails also fails in the preview.
  const isForUp = definition.isCredential === true && definition.replaced === undefined;
  if (request.getPreview() && isForUp) {
    response.setReturn(structOf(Object.fromEntries(Object.keys(definition.result).map(unknownMember))));
    return response;
  }
  const args = asKnown(programInputsOf(definition, parseProperties(request.getArgs())));
  const name = typeof args.connection === "string" ? args.connection : undefined;
  const connection = host.connection(definition.service, name);
  const log = (kind: "info" | "warning", text: string) => host.tell({ kind, text });
  const { result, isSecret } = await callFunction(definition, args, { connection, log, signal, behalf });
  response.setReturn(structOf(toEngine(result, (path) => isSecret && path.length === 1)));
  return response;
}

const unknownMember = (name: string) => [name, ENGINE_UNKNOWN] as const;

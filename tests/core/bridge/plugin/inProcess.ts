import type { ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import { listPage } from "../../../../provider/core/bridge/plugin/queries";
import { type CallContext, ResourceCalls } from "../../../../provider/core/bridge/plugin/resource";
import type { AnyDefinition } from "../../../../provider/core/language/resource";
import { callErrorOf, ProviderCalls } from "./calls";

/** The calls of one definition in this process, without a connection; they throw errors as an engine reads them. */
export function callsIn(definition: AnyDefinition, around: CallContext): ProviderCalls {
  const own = new ResourceCalls(definition);
  return new ProviderCalls(async (method, request) => {
    try {
      if (method !== "list") return await Reflect.get(own, method).call(own, request, around);
      const parts: unknown[] = [];
      // The protocol defines the type of a list request.
      for await (const part of listPage(definition, request as ListRequest, around)) parts.push(part);
      return parts;
    } catch (error) {
      throw error instanceof Error ? error : callErrorOf(Object(error));
    }
  });
}

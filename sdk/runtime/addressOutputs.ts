import { type CustomResource, type Output, runtime } from "@pulumi/pulumi";
import { bridgeOfStack } from "./bridge";
import { deferredOutput } from "./deferredOutput";
import type { ResourceKind } from "./kind";

/**
 * Sets the outputs that are part of a resource's ID during a preview. In a preview of an update, the engine's dynamic
 * provider host marks every output as unknown, so that dependent resources would appear changed or replaced. The ID stays
 * known. The plugin's preview returns these outputs itself.
 */
export function knowAddress(resource: CustomResource, { idSegments = {} }: ResourceKind): void {
  if (!runtime.isDryRun() || bridgeOfStack() === "plugin") return;
  const outputs: { [name: string]: unknown } = Object(resource);
  for (const [name, segment] of Object.entries(idSegments)) {
    const own = outputs[name] as Output<unknown>;
    outputs[name] = deferredOutput(() => resource.id.apply((id) => segmentOf(id, segment) ?? own));
  }
}

/** A segment of an ID, without the connection and realm prefixes; undefined if it is empty. */
function segmentOf(id: string, segment: number): string | undefined {
  const text = id
    .replace(/^[^:/]*:/, "")
    .replace(/^[^@/]*@/, "")
    .split("/")[segment];
  return text === undefined || text === "" ? undefined : decodeURIComponent(text);
}

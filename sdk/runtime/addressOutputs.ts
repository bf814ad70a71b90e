import { type CustomResource, type Output, runtime } from "@pulumi/pulumi";
import { bridgeOfStack } from "./bridge";
import { deferredOutput } from "./deferredOutput";
import type { ResourceKind } from "./kind";

/**
 * Has a preview know the outputs that a resource's id says. The engine's host of dynamic providers makes every output
 * unknown while an update is previewed, and what depends on one of these would be shown as changed, or replaced; the id
 * stays known. A plugin's preview says itself what stays.
 */
export function knowAddress(resource: CustomResource, { idSegments = {} }: ResourceKind): void {
  if (!runtime.isDryRun() || bridgeOfStack() === "plugin") return;
  const outputs: { [name: string]: unknown } = Object(resource);
  for (const [name, segment] of Object.entries(idSegments)) {
    const own = outputs[name] as Output<unknown>;
    outputs[name] = deferredOutput(() => resource.id.apply((id) => segmentOf(id, segment) ?? own));
  }
}

/** A segment of an id, behind the named connection and the realm in front of it; undefined where it says nothing. */
function segmentOf(id: string, segment: number): string | undefined {
  const text = id
    .replace(/^[^:/]*:/, "")
    .replace(/^[^@/]*@/, "")
    .split("/")[segment];
  return text === undefined || text === "" ? undefined : decodeURIComponent(text);
}

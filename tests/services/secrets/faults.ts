import type { HttpRequest } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import type { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";

/** The faults that can affect one request of an operation. */
export const FAULTS = [
  "request lost",
  "response lost",
  "killed before the request",
  "killed after the request",
] as const;
export type Fault = (typeof FAULTS)[number];

/** A fault at one request of an operation. */
export interface FaultAt {
  /** The index of the request, from 0. */
  readonly at: number;
  readonly fault: Fault;
}

/**
 * Runs an operation of a resource with a fault at one request. A killed process sends no more requests, and its engine
 * preserves the previous state.
 * @returns true if the operation reached that request
 */
export async function withFault(
  resource: Resource,
  { at, fault }: FaultAt,
  run: () => Promise<void>,
): Promise<boolean> {
  const { world } = resource;
  const before = { id: resource.id, outputs: resource.outputs, inputs: resource.inputs };
  let sent = 0;
  world.fate = () => {
    const number = sent++;
    if (number < at) return "passes";
    if (number === at) return fateOf(fault);
    return fault.startsWith("killed") ? "request lost" : "passes";
  };
  await run().catch(() => undefined);
  world.fate = () => "passes";
  if (sent > at && fault.startsWith("killed")) Object.assign(resource, before);
  return sent > at;
}

function fateOf(fault: Fault): Fate {
  return fault === "request lost" || fault === "killed before the request" ? "request lost" : "response lost";
}

/** Records every request that reaches the server. */
export function recordDelivered(world: World): HttpRequest[] {
  const reached: HttpRequest[] = [];
  world.onResponse = (request) => void reached.push(request);
  return reached;
}

/** Runs one up as an engine does: a create, or an update of a created resource. */
export async function up(resource: Resource, program: Values): Promise<void> {
  if (resource.id === "") await resource.create(program);
  else await resource.up(program);
}

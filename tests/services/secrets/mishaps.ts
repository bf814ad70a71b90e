import type { HttpRequest } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import type { Resource } from "../../steps/resource";
import type { Fate, World } from "../../steps/world";

/** What may go wrong at one request of an operation. */
export const MISHAPS = ["request lost", "answer lost", "killed before", "killed after"] as const;
export type Mishap = (typeof MISHAPS)[number];

/** One operation that something goes wrong in. */
export interface Trouble {
  /** The number of the request, from 0. */
  readonly at: number;
  readonly mishap: Mishap;
}

/**
 * Runs an operation of a resource in which one request goes wrong. A process that is killed sends nothing any more, and
 * its engine keeps the state of before.
 * @returns whether the operation got as far as that request
 */
export async function inTrouble(
  resource: Resource,
  { at, mishap }: Trouble,
  run: () => Promise<void>,
): Promise<boolean> {
  const { world } = resource;
  const before = { id: resource.id, outputs: resource.outputs, inputs: resource.inputs };
  let sent = 0;
  world.fate = () => {
    const number = sent++;
    if (number < at) return "passes";
    if (number === at) return fateOf(mishap);
    return mishap.startsWith("killed") ? "request lost" : "passes";
  };
  await run().catch(() => undefined);
  world.fate = () => "passes";
  if (sent > at && mishap.startsWith("killed")) Object.assign(resource, before);
  return sent > at;
}

function fateOf(mishap: Mishap): Fate {
  return mishap === "request lost" || mishap === "killed before" ? "request lost" : "response lost";
}

/** Every request that reached the service, with what it carried. */
export function delivered(world: World): HttpRequest[] {
  const reached: HttpRequest[] = [];
  world.afterwards = (request) => void reached.push(request);
  return reached;
}

/** One up as an engine does it: a create, a continuation, or nothing. */
export async function up(resource: Resource, program: Values): Promise<void> {
  if (resource.id === "") await resource.create(program);
  else await resource.up(program);
}

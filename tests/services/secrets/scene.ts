import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { Resource } from "../../steps/resource";
import { read, secretsWorld, take, write } from "../../steps/subjects/secretsScene";
import { problemsOf } from "../expectations";

/** One resource on a fresh secrets service, and a person at a console beside it. */
export async function scene(definition: AnyDefinition, before: Readonly<Record<string, Json>> = {}) {
  const world = await secretsWorld(definition, before, "neutral");
  const resource = new Resource(world, definition);
  return {
    world,
    resource,
    /** What the service holds. */
    held: (path: string) => read(world, path),
    /** Somebody else's write. */
    theirs: (path: string, body: Json) => write(world, path, body),
    take: (path: string) => take(world, path),
    /** The bodies of the writes so far, in order. */
    written: () => world.requests.filter(({ nature }) => nature !== "read").map(({ body }) => body),
    /** What a check says, a line each. */
    problems: (program: { [name: string]: Json }) => problemsOf(resource, program),
  };
}

/** An engine of the directory that is configured. */
export const DIRECTORY = { "ldap/config": { binddn: "cn=admin", bindpass: "hush" } };

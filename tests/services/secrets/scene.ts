import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { Resource } from "../../steps/resource";
import { read, secretsWorld, take, write } from "../../steps/subjects/secretsScene";
import { problemsOf } from "../expectations";

/** A resource on a fresh server, and the requests of another user. */
export async function scene(definition: AnyDefinition, before: Readonly<Record<string, Json>> = {}) {
  const world = await secretsWorld(definition, before, "neutral");
  const resource = new Resource(world, definition);
  return {
    world,
    resource,
    /** Reads what the server stores. */
    readServer: (path: string) => read(world, path),
    /** Sends a write of another user. */
    theirs: (path: string, body: Json) => write(world, path, body),
    /** Sends a delete of another user. */
    deleteAsOther: (path: string) => take(world, path),
    /** The bodies of the writes so far, in order. */
    written: () => world.requests.filter(({ nature }) => nature !== "read").map(({ body }) => body),
    /** The problems of a check, one line each. */
    problems: (program: { [name: string]: Json }) => problemsOf(resource, program),
  };
}

/** The writes that configure an LDAP engine. */
export const DIRECTORY = { "ldap/config": { binddn: "cn=admin", bindpass: "hush" } };

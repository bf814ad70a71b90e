import { type ListedObject, listObjects, questionOf } from "../../../provider/core/functions/objects";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { Resource } from "../../steps/resource";
import { change, read, schedulerWorld, take, write } from "../../steps/subjects/schedulerScene";
import { problemsOf } from "../expectations";

/** A resource on a fresh server, and the requests of another user. */
export async function scene(definition: AnyDefinition, switches: object = {}, seed: object = {}) {
  const world = await schedulerWorld(definition, { switches: { dialect: "neutral", ...switches }, seed });
  const resource = new Resource(world, definition);
  return {
    world,
    resource,
    /** Reads what the server stores. */
    readServer: (path: string) => read(world, path),
    /** Sends a write of another user. */
    theirs: (path: string, body: Json) => write(world, path, body),
    /** Changes one member of an object as another user. */
    changeAsOther: (path: string, member: string, value: Json) => change(world, path, member, value),
    /** Sends a delete of another user. */
    deleteAsOther: (path: string) => take(world, path),
    /** The bodies of the writes so far, in order. */
    written: () => world.requests.filter(({ nature }) => nature !== "read").map(({ body }) => body),
    /** The definition's objects on the server, as the CLI lists them. */
    async listed(): Promise<ListedObject[]> {
      const question = questionOf(definition);
      if (question === undefined) throw new Error(`${definition.token} has no list`);
      const caller = { connection: world.connection, log: () => undefined };
      const found: ListedObject[] = [];
      for await (const object of listObjects(question, {}, { size: 10 }, caller)) found.push(object);
      return found;
    },
    /** The problems of a check, one line each. */
    problems: (program: { [name: string]: Json }) => problemsOf(resource, program),
  };
}

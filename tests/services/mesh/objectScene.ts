import { type ListedObject, listObjects, questionOf } from "../../../provider/core/functions/objects";
import type { Definition } from "../../../provider/core/language/resource";
import { Resource } from "../../steps/resource";
import { meshWorld, read, take, write } from "../../steps/subjects/meshScene";

/** A resource on a fresh Consul server, and the requests of another user. */
export async function scene(definition: Definition, switches: object = {}) {
  const world = await meshWorld(definition, { dialect: "neutral", ...switches });
  return {
    world,
    resource: new Resource(world, definition),
    /** Reads what the server stores. */
    readServer: (path: string) => read(world, path),
    /** Sends a write of another user. */
    theirs: (path: string, body: Parameters<typeof write>[2]) => write(world, path, body),
    /** Sends a delete of another user. */
    deleteAsOther: (path: string) => take(world, path),
    /** The definition's objects on the server, as the CLI lists them. */
    async listed(): Promise<ListedObject[]> {
      const question = questionOf(definition);
      if (question === undefined) throw new Error(`${definition.token} has no list`);
      const caller = { connection: world.connection, log: () => undefined };
      const found: ListedObject[] = [];
      for await (const object of listObjects(question, {}, { size: 10 }, caller)) found.push(object);
      return found;
    },
  };
}

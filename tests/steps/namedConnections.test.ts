import { changedParts } from "../../provider/core/operations/placeKey";
import { read } from "../../provider/core/operations/read";
import { Resource } from "./resource";
import { queueRoleSubject } from "./subjects/secrets";

const program = { name: "app", tags: "monitoring" };

/** A resource on the default connection, and the same server under the name of another connection. */
async function createResource() {
  const world = await queueRoleSubject.world();
  const resource = new Resource(world, queueRoleSubject.definition);
  await resource.create(program);
  const named = (name: string, ...aliases: string[]) => ({
    connection: { ...world.connection, name, aliases },
    log: () => undefined,
    progress: () => undefined,
  });
  return { resource, named };
}

test("another connection replaces a resource, and a new name of the same connection does not", async () => {
  const { resource, named } = await createResource();
  const { record, definition } = resource;
  const own = { ...record, lastApplied: { ...record.lastApplied, connection: "first" } };
  const moved = (input: ReturnType<typeof named>) =>
    changedParts({
      definition,
      connection: input.connection,
      records: own,
      inputs: { ...program, connection: input.connection.name },
    });
  expect(moved(named("first"))).toEqual([]);
  expect(moved(named("second"))).toEqual(["connection"]);
  expect(moved(named("second", "first"))).toEqual([]);
  expect(
    changedParts({ definition, connection: named("second").connection, records: record, inputs: program }),
  ).toEqual(["connection"]);
});

test("an import by a named connection writes the connection to the program", async () => {
  const { resource, named } = await createResource();
  const found = await read(queueRoleSubject.definition, named("second"), resource.id);
  expect(found?.inputs).toMatchObject({ name: "app", connection: "second" });
  expect(await resource.get(resource.id)).not.toHaveProperty("connection");
});

import fc from "fast-check";
import { stepsOf } from "../../provider/core/operations";
import { readOnly, withMiddleware } from "../../provider/core/requests/middleware";
import { withMetadata } from "../../provider/core/value/programInputs";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { World } from "./world";

/** The number of rejected writes. */
let refused = 0;
afterAll(() => expect(refused).toBeGreaterThan(subjects.length));

/** The requests of a step on a read-only connection, which rejects the step's first write. */
async function sentBy(world: World, act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = world.requests.length;
  try {
    await act();
  } catch (error) {
    expect(String(error)).toMatch(/was not sent: this connection is read-only/);
    refused++;
  }
  return world.requests.slice(before).map(({ nature }) => nature);
}

const inputOf = (world: World) => ({
  connection: withMiddleware(world.connection, readOnly(world.connection.service.name)),
  log: () => undefined,
});

test.each(subjects)("a create of a %s sends only reads on a read-only connection", async (_, subject) => {
  for (const program of fc.sample(subject.programs, 3)) {
    const world = await subject.world();
    const sent = await sentBy(world, () =>
      stepsOf(subject.definition).create(inputOf(world), withMetadata(program, {})),
    );
    expect(sent.filter((nature) => nature !== "read")).toEqual([]);
  }
});

test.each(procedures)(
  "a create of the procedure %s sends only reads on a read-only connection",
  async (_, { definition, scene }) => {
    const { world, program } = await scene();
    const sent = await sentBy(world, () =>
      stepsOf(definition).create(inputOf(world), withMetadata(program, {})),
    );
    expect(sent.filter((nature) => nature !== "read")).toEqual([]);
  },
);

test.each(subjects.filter(([, { takeAway }]) => takeAway))(
  "a delete of a %s sends only reads on a read-only connection, and the object stays",
  async (_, subject) => {
    const [program = {}] = fc.sample(subject.programs, 1);
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(program);
    const sent = await sentBy(world, () =>
      stepsOf(subject.definition).remove(inputOf(world), resource.outputs),
    );
    expect(sent.filter((nature) => nature !== "read")).toEqual([]);
    expect(await resource.refresh()).toBe(true);
  },
);

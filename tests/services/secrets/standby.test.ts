import fc from "fast-check";
import { ConflictError } from "../../../provider/core/state/errors";
import { rounds } from "../../rounds";
import { expectEnd, expectLifecycleWithoutChanges } from "../../steps/lifecycle";
import { procedures } from "../../steps/procedures";
import { Resource } from "../../steps/resource";
import { subjects } from "../../steps/subjects";
import type { World } from "../../steps/world";
import { REAL } from "./real";

// These tests change the dialect of a stub that starts in `neutral`.
process.env.QUARTERDECK_TEST_DIALECT = "neutral";

function inReal(world: World): World {
  world.stub.configure({ dialect: "real" });
  return world.with(REAL);
}

const own = subjects.filter(([token]) => token.startsWith("secrets:"));

describe.each(own)("%s in the real dialect", (_, subject) => {
  test("shows no changes after a create, an update, a refresh and an import", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
        const resource = await expectLifecycleWithoutChanges(
          inReal(await subject.world()),
          subject,
          first,
          second,
        );
        await resource.delete();
      }),
      { numRuns: 25 },
    );
  });
});

const ofSecrets = procedures.filter(([token]) => token.startsWith("secrets:"));

test.each(ofSecrets)("%s in the real dialect completes and shows no changes", async (_, procedure) => {
  await expectEnd(procedure, inReal);
});

/** A connection to a standby, whose responses to reads lack the latest write. */
const STANDBY = { ...REAL, address: "http://standby.invalid" };
const ACTIVE = "http://active.invalid";

function atStandby(world: World, namesStates: boolean): World {
  world.stub.configure({ dialect: "real", activeServer: ACTIVE, namesStates });
  return world.with(STANDBY);
}

describe.each([
  ["without index headers", false],
  ["with index headers", true],
])("standby of a cluster %s", (_, namesStates) => {
  test.each(own)(
    "%s is created, updated, refreshed, imported and deleted without a log message",
    async (_, subject) => {
      await fc.assert(
        fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
          const world = atStandby(await subject.world(), namesStates);
          const resource = await expectLifecycleWithoutChanges(world, subject, first, second);
          expect(world.logged).toEqual([]);
          await resource.delete();
        }),
        { numRuns: rounds(40, 10) },
      );
    },
  );

  test.each(ofSecrets)("%s completes and shows no changes", async (_, procedure) => {
    await expectEnd(procedure, (world) => atStandby(world, namesStates));
  });
});

test.each(own)(
  "%s: an edit that a standby does not return yet has the same result as on a single server",
  async (_, subject) => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, subject.edits, async (first, second, edit) => {
        const results = [];
        for (const isClustered of [false, true]) {
          const plain = await subject.world();
          plain.stub.configure({ dialect: "real" });
          const world = isClustered ? atStandby(plain, false) : plain.with(STANDBY);
          const resource = new Resource(world, subject.definition);
          await resource.create(first);
          // The other user sends the edit to the active server, in the neutral dialect.
          world.stub.configure({ dialect: "neutral", activeServer: "" });
          await subject.edit(world, resource, edit);
          world.stub.configure({ dialect: "real", activeServer: isClustered ? ACTIVE : "" });
          const result = await resource.up(second).catch((error: unknown) => {
            if (!(error instanceof ConflictError)) throw error;
            return "conflict";
          });
          results.push(result);
        }
        expect(results[1]).toBe(results[0]);
      }),
      { numRuns: rounds(40, 10) },
    );
  },
);

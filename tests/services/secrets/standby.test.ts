import fc from "fast-check";
import { ConflictError } from "../../../provider/core/state/errors";
import { rounds } from "../../rounds";
import { expectEnd, expectQuietLife } from "../../steps/life";
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

describe.each(own)("%s, by the real product's names", (_, subject) => {
  test("is created, updated and refreshed, and quiet after each", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
        const resource = await expectQuietLife(inReal(await subject.world()), subject, first, second);
        await resource.delete();
      }),
      { numRuns: 25 },
    );
  });
});

test.each(procedures)(
  "%s, by the real product's names, comes to its end, and is quiet",
  async (_, procedure) => {
    await expectEnd(procedure, inReal);
  },
);

/** A connection to a standby, which answers reads one write behind. */
const STANDBY = { ...REAL, address: "http://standby.invalid" };
const ACTIVE = "http://active.invalid";

function atStandby(world: World, namesStates: boolean): World {
  world.stub.configure({ dialect: "real", activeServer: ACTIVE, namesStates });
  return world.with(STANDBY);
}

describe.each([
  ["that names no states", false],
  ["that names its states", true],
])("by a standby of a cluster %s", (_, namesStates) => {
  test.each(own)(
    "%s is created, updated, refreshed, found and deleted as by its only server",
    async (_, subject) => {
      await fc.assert(
        fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
          const world = atStandby(await subject.world(), namesStates);
          const resource = await expectQuietLife(world, subject, first, second);
          expect(world.logged).toEqual([]);
          await resource.delete();
        }),
        { numRuns: rounds(40, 10) },
      );
    },
  );

  test.each(procedures)("%s comes to its end, and is quiet", async (_, procedure) => {
    await expectEnd(procedure, (world) => atStandby(world, namesStates));
  });
});

test.each(own)(
  "%s: an edit that a standby does not show yet is a conflict all the same",
  async (_, subject) => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, subject.edits, async (first, second, edit) => {
        const ends = [];
        for (const isClustered of [false, true]) {
          const plain = await subject.world();
          plain.stub.configure({ dialect: "real" });
          const world = isClustered ? atStandby(plain, false) : plain.with(STANDBY);
          const resource = new Resource(world, subject.definition);
          await resource.create(first);
          // Whoever is at a console uses the specification's names, and stands at the active server.
          world.stub.configure({ dialect: "neutral", activeServer: "" });
          await subject.edit(world, resource, edit);
          world.stub.configure({ dialect: "real", activeServer: isClustered ? ACTIVE : "" });
          const ended = await resource.up(second).catch((error: unknown) => {
            if (!(error instanceof ConflictError)) throw error;
            return "conflict";
          });
          ends.push(ended);
        }
        expect(ends[1]).toBe(ends[0]);
      }),
      { numRuns: rounds(40, 10) },
    );
  },
);

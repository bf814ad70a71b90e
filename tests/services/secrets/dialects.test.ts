import fc from "fast-check";
import { expectEnd, expectQuietLife } from "../../steps/life";
import { procedures } from "../../steps/procedures";
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

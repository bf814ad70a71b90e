import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { deeds } from "./deeds";
import { otherWays, procedures } from "./procedures";
import { expectJustEnough } from "./rightsLaw";
import type { Story } from "./rightsLived";
import { subjects } from "./subjects";

const RUNS = rounds(5, 1);

/** How a resource lives by two programs, one after the other. */
const by =
  (first: Values, second: Values): Story["steps"] =>
  (resource) => [
    () => resource.create(first),
    () => resource.up(second),
    () => resource.refresh(),
    () => resource.delete(),
  ];

const JUST_ENOUGH =
  "are enough for its whole life, and without any one of them the request is refused, which the error says";

describe.each(subjects)(
  "the rights that the reference names for %s",
  (token, { definition, world, programs }) => {
    test(JUST_ENOUGH, async () => {
      let asserted = 0;
      await fc.assert(
        fc.asyncProperty(programs, programs, async (first, second) => {
          asserted += await expectJustEnough(token, { definition, world, steps: by(first, second) });
        }),
        { numRuns: RUNS },
      );
      expectAsserted(token, asserted);
    });
  },
);

describe.each(deeds)("the rights that the reference names for %s", (token, { definition, scene }) => {
  test(JUST_ENOUGH, async () => {
    const { program, another = { ...program, triggers: ["again"] } } = await scene();
    const world = async () => (await scene()).world;
    expectAsserted(token, await expectJustEnough(token, { definition, world, steps: by(program, another) }));
  });
});

describe.each([...procedures, ...otherWays])(
  "the rights that the reference names for %s",
  (token, { definition, scene }) => {
    test(JUST_ENOUGH, async () => {
      const { program } = await scene();
      const world = async () => (await scene()).world;
      const steps = by(program, program);
      expectAsserted(token, await expectJustEnough(token, { definition, world, steps }));
    });
  },
);

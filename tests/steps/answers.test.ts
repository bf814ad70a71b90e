import fc from "fast-check";
import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import { createdAtLast, isGone } from "./afterFailure";
import { expectAsserted, NEVER_UPDATED } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { isAlong } from "./routes";
import { removable, subjects } from "./subjects";
import type { Instead, World } from "./world";

const RUNS = 18;

/** Answers that no page of any of these services gives, but for the first. */
const ANSWERS = [
  [200, ""],
  [200, "null"],
  [200, "{}"],
  [200, '{"another":"object"}'],
  [200, '{"data":{"another":"object"}}'],
  [200, "<!doctype html><html><body>Sign in</body></html>"],
  [500, "<!doctype html><html><body>Oops</body></html>"],
  [500, "it was full"],
  [500, '{"errors":["it was full"]}'],
  [502, ""],
] as const;

const insteads: fc.Arbitrary<Instead> = fc.record({
  answer: fc.constantFrom(...ANSWERS).map(([status, text]) => ({ status, text })),
  isCarriedOut: fc.boolean(),
});

/** From here on, the write of this number, and no other, is answered by somebody else. */
function replace(world: World, number: number, instead: Instead): { request?: HttpRequest } {
  const replaced: { request?: HttpRequest } = {};
  let writes = 0;
  world.fate = (request) => {
    if (request.nature === "read" || writes++ !== number) return "passes";
    replaced.request = request;
    return instead;
  };
  return replaced;
}

/** Whether the answer is right to the byte, of a write that was not carried out: that nobody can know. */
function cannotBeKnown(definition: Definition, instead: Instead, request: HttpRequest | undefined): boolean {
  if (request === undefined || instead.isCarriedOut || instead.answer.text !== "") return false;
  if (instead.answer.status !== 200) return false;
  const { life, service } = definition;
  const { create, update } = life.writes;
  const routes = life.deletion.kind === "deletes" ? [create, update, life.deletion.route] : [create, update];
  const route = routes.find((one) => isAlong(definition, one, request));
  return route === undefined || (route.answers ?? service.answers[route.method] ?? "nothing") === "nothing";
}

/** The service holds what the program writes, as somebody sees who looks at it now. */
async function expectHeld(resource: Resource, program: Values): Promise<void> {
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
}

describe.each(subjects)("an answer in the service's place, to a write of a %s", (token, subject) => {
  const { definition, programs } = subject;

  test("in a create is never told as done where it was not, and loses nothing", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(2), insteads, async (program, number, instead) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        const replaced = replace(world, number, instead);
        const failure = await resource.create(program).catch((error: unknown) => error);
        world.fate = () => "passes";
        if (cannotBeKnown(definition, instead, replaced.request)) return;
        if (failure !== undefined) await createdAtLast(resource, program);
        await expectHeld(resource, program);
        if (replaced.request) judged++;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, judged);
  });

  test("in an update is never told as done where it was not, and loses nothing", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(
        programs,
        programs,
        fc.constantFrom(0, 0, 0, 1, 2),
        insteads,
        async (first, second, number, instead) => {
          const world = await subject.world();
          const resource = new Resource(world, definition);
          await resource.create(first);
          const replaced = replace(world, number, instead);
          const failure = await resource.up(second).catch((error: unknown) => error);
          world.fate = () => "passes";
          if (failure !== undefined && failure !== true && failure !== false) {
            expect(await resource.refresh()).toBe(true);
            await resource.up(second);
          } else if (cannotBeKnown(definition, instead, replaced.request)) return;
          await expectHeld(resource, second);
          if (replaced.request) judged++;
        },
      ),
      // A kind of few programs needs more tries until one differs from the other.
      { numRuns: Math.max(runs(subject, RUNS * 2), 15) },
    );
    expectAsserted(token, judged, NEVER_UPDATED);
  });
});

describe.each(removable)("an answer in the service's place, to a write of a %s", (token, subject) => {
  const { definition, programs } = subject;

  test("in a delete is never told as done where it was not", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(1), insteads, async (program, number, instead) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        const replaced = replace(world, number, instead);
        const failure = await resource.delete().catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure !== undefined) await resource.delete();
        else if (cannotBeKnown(definition, instead, replaced.request)) return;
        expect(await isGone(subject, world, resource)).toBe(true);
        if (replaced.request) judged++;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, judged);
  });
});

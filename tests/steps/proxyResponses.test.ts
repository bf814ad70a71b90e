import fc from "fast-check";
import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import { completeCreate, isDeleted } from "./afterFailure";
import { expectAsserted, NEVER_UPDATED } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { matchesRoute } from "./routes";
import { removable, subjects } from "./subjects";
import type { Instead, World } from "./world";

const RUNS = 18;

/** Responses that none of these services documents, except the first. */
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

const proxyResponses: fc.Arbitrary<Instead> = fc.record({
  answer: fc.constantFrom(...ANSWERS).map(([status, text]) => ({ status, text })),
  isCarriedOut: fc.boolean(),
});

/** From now on, a proxy answers the write with this number in place of the service. */
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

/** Whether the response equals the service's success response to a write that was not applied: this is undetectable. */
function cannotBeKnown(definition: Definition, instead: Instead, request: HttpRequest | undefined): boolean {
  if (request === undefined || instead.isCarriedOut || instead.answer.text !== "") return false;
  if (instead.answer.status !== 200) return false;
  const { life, service } = definition;
  const { create, update } = life.writes;
  const routes = life.deletion.kind === "deletes" ? [create, update, life.deletion.route] : [create, update];
  const route = routes.find((one) => matchesRoute(definition, one, request));
  return (
    route === undefined ||
    (route.expects ?? service.expectedResponses[route.method] ?? "nothing") === "nothing"
  );
}

/** Expects that the service stores the program's values: no changes before and after a refresh. */
async function expectStored(resource: Resource, program: Values): Promise<void> {
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
}

describe.each(subjects)("a %s whose write is answered by a proxy", (token, subject) => {
  const { definition, programs } = subject;

  test("is not reported as created unless it was, and a second create or an up completes it", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(2), proxyResponses, async (program, number, instead) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        const replaced = replace(world, number, instead);
        const failure = await resource.create(program).catch((error: unknown) => error);
        world.fate = () => "passes";
        if (cannotBeKnown(definition, instead, replaced.request)) return;
        if (failure !== undefined) await completeCreate(resource, program);
        await expectStored(resource, program);
        if (replaced.request) judged++;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, judged);
  });

  test("is not reported as updated unless it was, and a refresh and an up complete the update", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(
        programs,
        programs,
        fc.constantFrom(0, 0, 0, 1, 2),
        proxyResponses,
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
          await expectStored(resource, second);
          if (replaced.request) judged++;
        },
      ),
      // A subject with few programs needs more runs until two programs differ.
      { numRuns: Math.max(runs(subject, RUNS * 2), 15) },
    );
    expectAsserted(token, judged, NEVER_UPDATED);
  });
});

describe.each(removable)("a %s whose delete is answered by a proxy", (token, subject) => {
  const { definition, programs } = subject;

  test("is not reported as deleted unless it was", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(1), proxyResponses, async (program, number, instead) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        const replaced = replace(world, number, instead);
        const failure = await resource.delete().catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure !== undefined) await resource.delete();
        else if (cannotBeKnown(definition, instead, replaced.request)) return;
        expect(await isDeleted(subject, world, resource)).toBe(true);
        if (replaced.request) judged++;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, judged);
  });
});

import fc from "fast-check";
import type { HttpRequest } from "../../provider/core/http/request";
import { isObject } from "../../provider/core/value/json";
import { rounds } from "../rounds";
import { completeCreate, isDeleted } from "./afterFailure";
import { expectAsserted, NEVER_UPDATED } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import { matchesRoute } from "./routes";
import { removable, subjects } from "./subjects";
import type { Fate, World } from "./world";

const RUNS = rounds(60, 6);
const fates = fc.constantFrom<Fate>("request lost", "response lost");

/** From now on, loses only the request with this number. */
function lose(world: World, number: number, fate: Fate): { happened(): boolean } {
  let sent = 0;
  world.fate = () => (sent++ === number ? fate : "passes");
  return { happened: () => sent > number };
}

/** Whether a write has an index precondition (0: must not exist), so that it cannot create a second object. */
function isChecked({ query, body }: HttpRequest): boolean {
  return query?.cas !== undefined || (isObject(body) && body.EnforceIndex === true);
}

describe.each(subjects)("a lost request or response of a %s", (token, subject) => {
  const { definition, programs } = subject;

  test("in a create leaves at most one object, which the next up completes", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(5), fates, async (program, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        const loss = lose(world, number, fate);
        let creates = 0;
        world.onResponse = (request) => {
          if (matchesRoute(definition, definition.life.writes.create, request, world.connection.dialect))
            creates = isChecked(request) ? Math.max(creates, 1) : creates + 1;
        };
        const failure = await resource.create(program).catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure !== undefined) {
          expect(loss.happened()).toBe(true);
          await completeCreate(resource, program);
        }
        expect(resource.preview(program).changes).toEqual([]);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(program).changes).toEqual([]);
        expect(creates).toBeLessThanOrEqual(1);
        if (loss.happened() && creates === 1) judged++;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, judged);
  });

  test("in an update is probed, and the next refresh and up reach the program's values", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, fc.nat(5), fates, async (first, second, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(first);
        const loss = lose(world, number, fate);
        const failure = await resource.up(second).catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure instanceof Error) {
          await resource.refresh();
          await resource.up(second);
        }
        expect(resource.preview(second).changes).toEqual([]);
        await resource.refresh();
        expect(resource.preview(second).changes).toEqual([]);
        if (loss.happened()) judged++;
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
    expectAsserted(token, judged, NEVER_UPDATED);
  });

  test("in an update needs no refresh before the next up if no one else changed the object", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, fc.nat(5), fates, async (first, second, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(first);
        const loss = lose(world, number, fate);
        await resource.up(second).catch(() => undefined);
        world.fate = () => "passes";
        await resource.up(second);
        expect(resource.preview(second).changes).toEqual([]);
        if (loss.happened()) judged++;
      }),
      { numRuns: runs(subject, RUNS * 2) },
    );
    expectAsserted(token, judged, NEVER_UPDATED);
  });
});

describe.each(removable)("a lost request or response of a %s", (token, subject) => {
  const { definition, programs } = subject;

  test("in a delete leaves no object after a second delete at the latest", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(4), fates, async (program, number, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(program);
        const loss = lose(world, number, fate);
        const failure = await resource.delete().catch((error: unknown) => error);
        world.fate = () => "passes";
        if (failure !== undefined) await resource.delete();
        expect(await isDeleted(subject, world, resource)).toBe(true);
        if (loss.happened()) judged++;
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, judged);
  });
});

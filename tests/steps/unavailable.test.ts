import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { failureOf } from "../faults/commands";
import { rounds } from "../rounds";
import { isDeleted } from "./afterFailure";
import { expectAsserted, NEVER_UPDATED } from "./asserted";
import { runs } from "./numRuns";
import { Resource } from "./resource";
import type { Edit, Subject } from "./subject";
import { removable, subjects } from "./subjects";
import type { Fate, World } from "./world";

const RUNS = rounds(30, 5);

/** The response of a gateway without an available server. */
const UNAVAILABLE: Fate = { answer: { status: 503, text: "<html>503</html>" }, isCarriedOut: false };
const fates = fc.constantFrom<Fate>(UNAVAILABLE, "request lost");

/** Whether a program needs no write because it has no consumers. */
const isNothing = ({ consumerIds }: Values) => Array.isArray(consumerIds) && consumerIds.length === 0;

/** Definitions with lists that have different requests for additions and removals. */
const BY_TWO_REQUESTS = ["workspaces:RemoteStateConsumers", "workspaces:Workspace"];

/** Definitions whose server would accept a second object, so that only the next up sends a create again. */
const NOT_CREATED_AGAIN = ["workspaces:OauthClient", "scheduler:AclToken"];

/** Fails the next writes, each path this number of times. The result tells whether any write has failed. */
function block(world: World, times: number, fate: Fate): () => boolean {
  const blocked = new Map<string, number>();
  world.fate = ({ nature, method, path }) => {
    if (nature === "read") return "passes";
    const before = blocked.get(`${method} ${path}`) ?? 0;
    blocked.set(`${method} ${path}`, before + 1);
    return before < times ? fate : "passes";
  };
  return () => blocked.size > 0;
}

describe.each(subjects)("a %s whose service is unavailable for a moment", (token, subject) => {
  const { definition, programs } = subject;

  test("is created and updated by the same commands, which repeat writes that were not applied", async () => {
    let judged = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, fc.integer({ min: 1, max: 3 }), fates, async (...given) => {
        const [first, second, times, fate] = given;
        const world = await subject.world();
        const resource = new Resource(world, definition);
        const isBlocked = block(world, times, fate);
        const refused = await failureOf(resource.create(first));
        if (refused !== undefined) {
          expect([NOT_CREATED_AGAIN.includes(token), String(refused)]).toEqual([
            true,
            expect.stringContaining("A read after the request does not show the result."),
          ]);
          world.fate = () => "passes";
          await resource.create(first);
        }
        expect(isBlocked() || isNothing(first)).toBe(true);
        expect(resource.preview(first).changes).toEqual([]);
        if (subject.isFixed) return;
        const isHeld = block(world, times, fate);
        // Two requests of one step share the limit of retries: the up may fail, and the next up continues.
        const failure = await failureOf(resource.up(second));
        if (failure !== undefined) {
          expect([times > 1, BY_TWO_REQUESTS.includes(token), String(failure)]).toEqual([
            true,
            true,
            expect.stringContaining("A read after the request does not show the result."),
          ]);
          world.fate = () => "passes";
          await resource.up(second);
        }
        if (isHeld()) judged++;
        world.fate = () => "passes";
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(second).changes).toEqual([]);
      }),
      { numRuns: runs(subject, RUNS) },
    );
    expectAsserted(token, judged, NEVER_UPDATED);
  });

  test("is not written again after a cancellation", async () => {
    await fc.assert(
      fc.asyncProperty(programs, fates, async (program, fate) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        const canceling = new AbortController();
        resource.signal = canceling.signal;
        let writes = 0;
        world.fate = ({ nature }) => {
          if (nature === "read") return "passes";
          writes++;
          canceling.abort();
          return fate;
        };
        if (isNothing(program)) return;
        await expect(resource.create(program)).rejects.toThrow(
          /applied|A read after the request does not show the result/,
        );
        expect(writes).toBe(1);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });
});

describe.each(removable)("a %s whose service is unavailable during its delete", (_, subject) => {
  test("is deleted by the same command", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, fc.integer({ min: 1, max: 3 }), async (program, times) => {
        const world = await subject.world();
        const resource = new Resource(world, subject.definition);
        await resource.create(program);
        const isBlocked = block(world, times, UNAVAILABLE);
        await resource.delete();
        expect(isBlocked() || isNothing(program)).toBe(true);
        world.fate = () => "passes";
        expect(await isDeleted(subject, world, resource)).toBe(true);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });
});

/** The result of a delete if someone else edits the object before it, or between its two requests. */
async function deletedWith(subject: Subject, program: Values, edit: Edit, isInTheMiddle: boolean) {
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  await resource.create(program);
  const edited = () => subject.edit(world, resource, edit).then(noReason, reasonOf);
  let refused = isInTheMiddle ? undefined : await edited();
  let isFirst = isInTheMiddle;
  world.fate = async ({ nature }) => {
    if (nature === "read" || !isFirst) return "passes";
    isFirst = false;
    refused = await edited();
    return UNAVAILABLE;
  };
  const failure = await failureOf(resource.delete());
  return { refused, ends: failure?.name ?? "deleted" };
}

const noReason = () => undefined;
const reasonOf = (error: unknown) => String(error);

describe.each(removable)("a %s that someone edits while its delete is retried", (_, subject) => {
  test("is compared again before the second request, with the same result as before the first", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.edits, async (program, edit) => {
        const before = await deletedWith(subject, program, edit, false);
        expect(await deletedWith(subject, program, edit, true)).toEqual(before);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });
});

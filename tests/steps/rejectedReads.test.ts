import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";

/** JSON values that are not an object of any of these services. */
const ANSWERS = ["null", "{}", "[]", "true", '{"data":{}}', '{"another":"object"}', '{"errors":[]}'];

/** Responses that do not prove a deletion: a 404 that is not the service's own, or its message with another status. */
const REFUSALS: readonly (readonly [number, string])[] = [
  [404, ""],
  [404, "404 page not found"],
  [404, "<!doctype html><html><body>Not found</body></html>"],
  [404, '{"error":"not found"}'],
  [404, '{"errors":["not found"]}'],
  [403, '{"errors":[]}'],
  [500, "job not found"],
  [500, "Config entry not found"],
];

/** A refresh sends additional requests only for parts that some programs set. */
const PROGRAMS = 8;

async function expectInvalidAnswersRejected(subject: Subject, program: Values): Promise<void> {
  const world = await subject.world();
  const resource = new Resource(world, subject.definition);
  await resource.create(program);
  const state = JSON.stringify(resource.outputs);
  world.requests.length = 0;
  await resource.refresh();
  const reads = world.requests.length;
  for (const text of ANSWERS) {
    for (let at = 0; at < reads; at += 1) {
      let read = 0;
      world.fate = () => (read++ === at ? { answer: { status: 200, text }, isCarriedOut: false } : "passes");
      await expect(resource.refresh()).rejects.toThrow(
        /an object other than the requested object|an empty body|invalid or truncated JSON|the response contains no list|without paging information/,
      );
      expect(JSON.stringify(resource.outputs)).toBe(state);
    }
  }
  world.fate = () => "passes";
  expect(await resource.refresh()).toBe(true);
  expect(resource.preview(program).changes).toEqual([]);
}

describe.each([...subjects])("a refresh of a %s", (_, subject) => {
  test("rejects a response that is not the object, to each of its reads, and leaves the state unchanged", async () => {
    const programs = fc.sample(subject.programs, { seed: 1, numRuns: PROGRAMS });
    expect(programs).toHaveLength(PROGRAMS);
    for (const program of programs) await expectInvalidAnswersRejected(subject, program);
  });

  test("rejects a response that does not prove a deletion, and leaves the state unchanged", async () => {
    const [program] = fc.sample(subject.programs, { seed: 1, numRuns: 1 });
    if (program === undefined) throw new Error("the subject has no program");
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(program);
    const state = JSON.stringify(resource.outputs);
    for (const [status, text] of REFUSALS) {
      world.fate = () => ({ answer: { status, text }, isCarriedOut: false });
      await expect(resource.refresh()).rejects.toThrow(`returned ${status}`);
      expect(JSON.stringify(resource.outputs)).toBe(state);
    }
    world.fate = () => "passes";
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
  });
});

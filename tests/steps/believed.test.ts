import fc from "fast-check";
import { Resource } from "./resource";
import { subjects } from "./subjects";

/** What is JSON, or nothing, and no object of any of these services. */
const ANSWERS = ["null", "{}", "[]", "true", '{"data":{}}', '{"another":"object"}', '{"errors":[]}'];

/** What says in nobody's words that nothing is there, or in a service's own words with another status than its 404. */
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

describe.each([...subjects])("an answer to a read of a %s", (_, subject) => {
  async function made() {
    const [program] = fc.sample(subject.programs, { seed: 1, numRuns: 1 });
    if (program === undefined) throw new Error("the subject has no program");
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(program);
    return { program, world, resource };
  }

  test("that is not the object is an error, and the state stays", async () => {
    const { program, world, resource } = await made();
    const state = JSON.stringify(resource.outputs);
    for (const text of ANSWERS) {
      world.fate = () => ({ answer: { status: 200, text }, isCarriedOut: false });
      await expect(resource.refresh()).rejects.toThrow(
        /not the object that was asked for|nothing in it|no JSON/,
      );
      expect(JSON.stringify(resource.outputs)).toBe(state);
    }
    world.fate = () => "passes";
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
  });

  test("that is not the service's own word for what is gone is an error, and the state stays", async () => {
    const { program, world, resource } = await made();
    const state = JSON.stringify(resource.outputs);
    for (const [status, text] of REFUSALS) {
      world.fate = () => ({ answer: { status, text }, isCarriedOut: false });
      await expect(resource.refresh()).rejects.toThrow(`answered ${status}`);
      expect(JSON.stringify(resource.outputs)).toBe(state);
    }
    world.fate = () => "passes";
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview(program).changes).toEqual([]);
  });
});

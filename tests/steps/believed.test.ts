import fc from "fast-check";
import { Resource } from "./resource";
import { subjects } from "./subjects";

/** What is JSON, or nothing, and no object of any of these services. */
const ANSWERS = ["null", "{}", "[]", "true", '{"data":{}}', '{"another":"object"}', '{"errors":[]}'];

describe.each([...subjects])("an answer to a read of a %s", (_, subject) => {
  test("that is not the object is an error, and the state stays", async () => {
    const [program] = fc.sample(subject.programs, { seed: 1, numRuns: 1 });
    if (program === undefined) throw new Error("the subject has no program");
    const world = await subject.world();
    const resource = new Resource(world, subject.definition);
    await resource.create(program);
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
});

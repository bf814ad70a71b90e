import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import { isSteering, isWritable } from "../../provider/core/language/role";
import { withMetadata } from "../../provider/core/value/programInputs";
import { type Inputs, UNKNOWN } from "../../provider/core/value/unknown";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { Resource } from "./resource";
import { subjects } from "./subjects";

describe.each(subjects)("the preview of a %s", (token, subject) => {
  const { definition, programs } = subject;

  test("sends nothing, and shows a change for each property with an unknown value", async () => {
    let unknowns = 0;
    await fc.assert(
      fc.asyncProperty(programs, programs, fc.nat(), async (first, second, seed) => {
        const world = await subject.world();
        const resource = new Resource(world, definition);
        await resource.create(first);
        world.requests.length = 0;
        const names = Object.keys(second).filter((_, index) => (seed >> index) % 2 === 1);
        const unknown: Inputs = Object.fromEntries(names.map((name) => [name, UNKNOWN]));
        const program = { ...second, ...unknown };
        expect(resource.check(program)).toEqual([]);
        const changed = new Set(resource.preview(program).changes.map(({ path }) => path[0]));
        for (const name of names) expect(changed).toContain(name);
        unknowns += names.length;
        expect(world.requests).toEqual([]);
      }),
      { numRuns: rounds(60, 6) },
    );
    expectAsserted(token, unknowns);
  });

  test("reports all undefined properties at once, with a suggestion and the names of the defined ones", async () => {
    const [program = {}] = fc.sample(programs, 1);
    const resource = new Resource(await subject.world(), definition);
    const inputs = fieldsOf(definition).filter(({ facts }) => isWritable(facts) && !isSteering(facts));
    const [first, ...rest] = inputs;
    const wrong = { [`${first?.name}s`]: 1, quiteAnother: 2 };
    const problems = resource.check({ ...program, ...wrong });
    expect(problems.map(({ path }) => path).sort()).toEqual([`${first?.name}s`, "quiteAnother"].sort());
    expect(problems.map(({ reason }) => reason).join("\n")).toContain(`did you mean ${first?.name}?`);
    expect(rest.every(({ name }) => problems.some(({ reason }) => reason.includes(name)))).toBe(true);
  });

  test("reports every missing required property, and every property of a wrong type", async () => {
    const resource = new Resource(await subject.world(), definition);
    const required = fieldsOf(definition).filter((field) => field.required && isWritable(field.facts));
    const missing = resource.check({}).map(({ path }) => path);
    for (const { name } of required) expect(missing).toContain(name);
    const others = fieldsOf(definition).filter(
      ({ facts }) => isWritable(facts) && facts.document === undefined,
    );
    const wrong = Object.fromEntries(others.map(({ name }) => [name, { no: { such: "value" } }]));
    const reported = resource.check(wrong).map(({ path }) => path.split(/[.[]/)[0]);
    for (const { name } of others) expect(reported).toContain(name);
  });

  test("does not contain a secret value in its problems", async () => {
    const resource = new Resource(await subject.world(), definition);
    const inputs = fieldsOf(definition).filter(({ facts }) => isWritable(facts) && !isSteering(facts));
    const canaries = Object.fromEntries(inputs.map(({ name }) => [name, { canary: `canary-${name}` }]));
    const problems = resource.check(withMetadata(canaries, { secretPaths: inputs.map(({ name }) => name) }));
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain("canary-");
  });
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import type { Json } from "../../provider/core/value/json";
import { Resource } from "./resource";
import { subjects } from "./subjects";

/**
 * States of the first release, one file per definition. They are recorded once, when a definition is new, and never again:
 * every later version of this package must read them. For a new definition, run this test once with QUARTERDECK_RECORD=1 and
 * QUARTERDECK_TEST_DIALECT=neutral, which writes the missing file.
 */
const RECORDED = join(__dirname, "fixtures");

interface State {
  readonly program: Values;
  readonly id: string;
  readonly outputs: { [property: string]: Json };
}

/** Every file, with the subject and the programs of its states. */
const recordings = subjects.flatMap(([token, subject]) => {
  const name = token.replace(":", "-");
  const later = Object.entries(subject.later ?? {});
  return [
    [token, `${name}.json`, subject, subject.programs] as const,
    ...later.map(([kind, programs]) => [token, `${name}.${kind}.json`, subject, programs] as const),
  ];
});

describe.each(recordings)("the recorded states of a %s in %s", (_, name, subject, programs) => {
  const file = join(RECORDED, name);

  async function record(): Promise<void> {
    const states: State[] = [];
    for (const program of fc.sample(programs, { seed: 1, numRuns: 3 })) {
      const resource = new Resource(await subject.world(), subject.definition);
      await resource.create(program);
      states.push({ program, id: resource.id, outputs: resource.outputs });
    }
    writeFileSync(file, `[\n${states.map((state) => JSON.stringify(state)).join(",\n")}\n]\n`);
  }

  test("show no changes with their programs, and their IDs are parsed and formatted", async () => {
    if (!existsSync(file) && process.env.QUARTERDECK_RECORD === "1") await record();
    const states: readonly State[] = JSON.parse(readFileSync(file, "utf8"));
    expect(states).toHaveLength(3);
    for (const { program, id, outputs } of states) {
      const resource = new Resource(await subject.world(), subject.definition);
      resource.outputs = outputs;
      expect(resource.preview(program).changes).toEqual([]);
      expect(subject.definition.where.id.parse(id)).toBeDefined();
      expect(subject.definition.where.id.format(resource.record.address)).toBe(id);
    }
  });
});

const ofSecrets = recordings.filter(([token]) => token.startsWith("secrets:"));

describe.each(ofSecrets)("the recorded states of a %s in %s, in the real dialect,", (_, name, subject) => {
  test("keep the mounts that were the default when they were recorded: no changes and the same IDs", async () => {
    const states: readonly State[] = JSON.parse(readFileSync(join(RECORDED, name), "utf8"));
    for (const { program, id, outputs } of states) {
      const world = (await subject.world()).with({ dialect: "real" });
      const resource = new Resource(world, subject.definition);
      resource.outputs = outputs;
      expect(resource.preview(program)).toMatchObject({ changes: [] });
      expect(subject.definition.where.id.format(resource.record.address)).toBe(id);
    }
  });
});

test("a state of a newer version is rejected, and the message says to update the package", async () => {
  const [, subject] = subjects[0] ?? [];
  if (subject === undefined) throw new Error("there is no subject");
  const resource = new Resource(await subject.world(), subject.definition);
  resource.outputs = { __quarterdeck: JSON.stringify({ v: 99 }) };
  expect(() => resource.preview({ name: "app" })).toThrow(
    /newer version of pulumi-quarterdeck.*Next: update the package/,
  );
});

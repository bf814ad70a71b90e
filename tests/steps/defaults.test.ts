import fc from "fast-check";
import { plainOf } from "../../provider/core/diff/project";
import { type Field, fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { isShown, isWritable } from "../../provider/core/language/role";
import { renameMembers } from "../../provider/core/requests/dialect";
import { isObject, type Json } from "../../provider/core/value/json";
import type { Path } from "../../provider/core/value/path";
import { real } from "../../provider/services/scheduler/service";
import { dialectFor } from "../dialect";
import { dumped } from "../faults/dump";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { runs } from "./numRuns";
import { oneTimeActions } from "./oneTimeActions";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { jobWithEveryBlock } from "./subjects/jobWithEveryBlock";

const RUNS = rounds(80, 16);

/** The properties and members of structures that have a default, each with its path. */
function defaultsOf(fields: readonly Field[], above: Path = []): [Path, Json][] {
  return fields.flatMap((field): [Path, Json][] => {
    const path = [...above, field.name];
    if (!isWritable(field.facts)) return [];
    const { default: value } = field.facts;
    const own: [Path, Json][] = value === undefined || value === null ? [] : [[path, value]];
    return [...own, ...defaultsOf(field.children ?? [], path)];
  });
}

/** A program with a value at a path, or without the path if there is no value. The structure around it must exist. */
function withAt(program: Json, [segment, ...rest]: Path, value: Json | undefined): Json {
  if (segment === undefined) return value ?? null;
  if (Array.isArray(program))
    return program.map((part, index) => (index === segment ? withAt(part, rest, value) : part));
  if (!isObject(program)) return program;
  const { [segment]: part, ...others } = program;
  if (rest.length > 0)
    return part === undefined ? program : { ...program, [segment]: withAt(part, rest, value) };
  return value === undefined ? others : { ...others, [segment]: value };
}

/** The property at a path, and the members of structures that lead to its end. */
function fieldsAt(fields: readonly Field[], [segment, ...rest]: Path): Field[] {
  const field = fields.find(({ name }) => name === segment);
  return field === undefined ? [] : [field, ...fieldsAt(field.children ?? [], rest)];
}

/** Every member of a program, at any depth, by its path. */
function membersIn(value: Json, above: Path = []): Path[] {
  if (!isObject(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const path = [...above, Array.isArray(value) ? Number(name) : name];
    return [...(Array.isArray(value) ? [] : [path]), ...membersIn(part, path)];
  });
}

/** A job in Nomad's names, as a program writes it. */
const asWritten = (job: object): Json => renameMembers(job as Json, real, "dialect");

const asProgram = (program: Json): Values => (isObject(program) ? program : {});

async function created(subject: Subject, program: Values): Promise<Resource | undefined> {
  const resource = new Resource(await subject.world(), subject.definition);
  if (resource.check(program).length > 0) return undefined;
  try {
    await resource.create(program);
  } catch {
    return undefined;
  }
  return resource;
}

/** Expects that an up to this program sends nothing and that its preview shows no changes. */
async function expectNoChanges(resource: Resource, program: Values): Promise<void> {
  const sent = resource.world.requests.length;
  expect(resource.preview(program).changes).toEqual([]);
  expect(await resource.up(program)).toBe(false);
  expect(resource.world.requests.length).toBe(sent);
}

/**
 * Members of a job whose default depends on other members: a group's implied constraints, the lowest count of its scaling,
 * the destination of an artifact, a check's `OnUpdate` and the CPU of a sidecar. Leaving them out shows an update.
 */
const DEPENDING = new Set(["Constraints", "Min", "RelativeDest", "OnUpdate", "CPU"]);

describe("removing a value that equals its default shows no changes and sends nothing", () => {
  const withDefaults = subjects.filter(([, { definition }]) => defaultsOf(fieldsOf(definition)).length > 0);

  test.each(withDefaults)("%s: any property of an object", async (token, subject) => {
    const defaults = defaultsOf(fieldsOf(subject.definition));
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, fc.constantFrom(...defaults), async (program, [path, value]) => {
        const spelledOut = asProgram(withAt(program, path, value));
        const leftOut = asProgram(withAt(program, path, undefined));
        const resource = await created(subject, spelledOut);
        if (resource === undefined || resource.check(leftOut).length > 0) return;
        tried++;
        await expectNoChanges(resource, leftOut);
      }),
      { numRuns: runs(subject, RUNS * 3) },
    );
    expectAsserted(token, tried);
  });

  test.each([...oneTimeActions, ...procedures])("%s: each property", async (_, { definition, scene }) => {
    for (const [path, value] of defaultsOf(fieldsOf(definition))) {
      const { world, program } = await scene();
      const spelledOut = asProgram(withAt(program, path, value));
      const leftOut = asProgram(withAt(program, path, undefined));
      const resource = new Resource(world, definition);
      if (resource.check(spelledOut).length > 0 || resource.check(leftOut).length > 0) continue;
      await resource.create(spelledOut);
      expect([path, resource.preview(leftOut).changes]).toEqual([path, []]);
    }
  });

  /** Removes each member of the stored job, if the service stores the same job without it. */
  async function expectNoChangesWithoutEach(job: Json): Promise<void> {
    const subject = subjects.find(([token]) => token === "scheduler:Job")?.[1];
    if (subject === undefined) throw new Error("there is no scheduler:Job");
    const first = await created(subject, { json: job });
    const json = first?.record.observed.json;
    const stored = { ID: "web", ...(isObject(json) ? (plainOf(json) as object) : {}) };
    const spelledOut = { json: dialectFor("scheduler:Job") === "real" ? asWritten(stored) : stored };
    let tried = 0;
    const shown: string[] = [];
    for (const path of membersIn(spelledOut)) {
      if (DEPENDING.has(String(path.at(-1)))) continue;
      const leftOut = asProgram(withAt(spelledOut, path, undefined));
      const resource = await created(subject, spelledOut);
      const without = await created(subject, leftOut);
      if (resource === undefined || without === undefined || without.id !== resource.id) continue;
      if (dumped(without.world.stub.dump()) !== dumped(resource.world.stub.dump())) continue;
      tried++;
      const sent = resource.world.requests.length;
      const { changes } = resource.preview(leftOut);
      if (changes.length > 0) shown.push(path.slice(1).join("."));
      else expect(await resource.up(leftOut)).toBe(false);
      if (changes.length === 0) expect(resource.world.requests.length).toBe(sent);
    }
    expect(shown).toEqual([]);
    expect(tried).toBeGreaterThan(10);
  }

  test.each(["service", "batch", "system", "sysbatch"])(
    "scheduler:Job: each member of a %s job",
    async (Type) => {
      const tasks = [{ Name: "t", Driver: "docker" }];
      const periodic = Type.endsWith("batch") ? { Periodic: { Spec: "@daily" } } : {};
      await expectNoChangesWithoutEach({
        ID: "web",
        Type,
        ...periodic,
        TaskGroups: [{ Name: "g", Tasks: tasks }],
      });
    },
  );

  test.each(["service", "batch"] as const)(
    "scheduler:Job: each member of a %s job with every block",
    async (type) => {
      await expectNoChangesWithoutEach(jobWithEveryBlock(type, dialectFor("scheduler:Job")));
    },
  );

  test.each(subjects)("%s: any member without which a create makes the same object", async (_, subject) => {
    await fc.assert(
      fc.asyncProperty(subject.programs, fc.nat(), async (program, index) => {
        const members = membersIn(program);
        const path = members[index % members.length] ?? [];
        const fields = fieldsAt(fieldsOf(subject.definition), path);
        // A field that no response shows may differ, and a field without a default keeps its value.
        if (fields.length === 0) return;
        if (fields.some(({ facts }) => !isShown(facts) || facts.notRestored)) return;
        const leftOut = asProgram(withAt(program, path, undefined));
        const without = await created(subject, leftOut);
        const resource = await created(subject, program);
        if (without === undefined || resource === undefined || without.id !== resource.id) return;
        if (dumped(without.world.stub.dump()) !== dumped(resource.world.stub.dump())) return;
        await expectNoChanges(resource, leftOut);
      }),
      { numRuns: runs(subject, RUNS) },
    );
  });
});

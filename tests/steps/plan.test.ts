import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { withMetadata } from "../../provider/core/value/programInputs";
import { hasUnknown, type Inputs, UNKNOWN } from "../../provider/core/value/unknown";
import { as, made } from "../services/workspaces/workspace-scene";
import { runs } from "./numRuns";
import { oneTimeActions } from "./oneTimeActions";
import { procedures } from "./procedures";
import { Resource } from "./resource";
import { subjects } from "./subjects";

/** The paths at which outputs differ from planned values that were known. */
function differences(planned: unknown, given: unknown, path: string): string[] {
  if (planned === UNKNOWN) return [];
  if (Array.isArray(planned) && Array.isArray(given) && planned.length === given.length)
    return planned.flatMap((part, index) => differences(part, given[index], `${path}[${index}]`));
  if (isMap(planned) && isMap(given)) {
    const names = new Set([...Object.keys(planned), ...Object.keys(given)]);
    return [...names].flatMap((name) => differences(planned[name], given[name], `${path}.${name}`));
  }
  return planned === given
    ? []
    : [`${path}: planned ${JSON.stringify(planned)}, given ${JSON.stringify(given)}`];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The differences between planned and actual outputs. */
function mismatches(plan: Inputs, { outputs: { __quarterdeck: _, ...outputs } }: Resource): string[] {
  return differences(plan, outputs, "");
}

const objects = subjects.map(([token, subject]) => [token, subject] as const);

describe.each(objects)("the planned outputs of a %s", (_, subject) => {
  test("equal the outputs of a create, an update and an update without changes, except for unknown values", async () => {
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
        const resource = new Resource(await subject.world(), subject.definition);
        const created = resource.plan(first);
        for (const name of Object.keys(first)) expect(hasUnknown(created[name])).toBe(false);
        await resource.create(first);
        expect(mismatches(created, resource)).toEqual([]);
        const { changes } = resource.preview(second);
        if (changes.some(({ replaces }) => replaces)) return;
        const updated = resource.plan(second, resource.outputs);
        await resource.update(second);
        expect(mismatches(updated, resource)).toEqual([]);
        const again = resource.plan(second, resource.outputs);
        expect(hasUnknown(again)).toBe(false);
        expect(mismatches(again, resource)).toEqual([]);
      }),
      { numRuns: runs(subject, 15) },
    );
  });
});

const actionsAndProcedures: (readonly [string, () => Promise<{ resource: Resource; programs: Values[] }>])[] =
  [
    ...oneTimeActions.map(([token, { scene, definition }]) => {
      const staged = async () => {
        const { world, program, another } = await scene();
        return {
          resource: new Resource(world, definition),
          programs: [program, ...(another ? [another] : [])],
        };
      };
      return [token, staged] as const;
    }),
    ...procedures.map(([token, { scene, definition }]) => {
      const staged = async () => {
        const { world, program } = await scene();
        return { resource: new Resource(world, definition), programs: [program] };
      };
      return [token, staged] as const;
    }),
  ];

test.each(actionsAndProcedures)(
  "the planned outputs of a %s match its create and update, except for unknown values",
  async (_, staged) => {
    const { resource, programs } = await staged();
    const [first = {}, second = first] = programs;
    const created = resource.plan(first);
    await resource.create(first);
    expect(mismatches(created, resource)).toEqual([]);
    const updated = resource.plan({ ...second, timeouts: { create: 5 } }, resource.outputs);
    await resource.update({ ...second, timeouts: { create: 5 } });
    expect(mismatches(updated, resource)).toEqual([]);
  },
);

test("the planned outputs contain the other user's value of an ignored property", async () => {
  const { world, resource } = await made({ name: "app", description: "ours", autoApply: false });
  const data = { type: "workspaces", attributes: { description: "theirs" } };
  await world.send("PATCH", `/api/v2/workspaces/${resource.id}`, { data }, as("owner"));
  await resource.refresh();
  const ignored = ["description"];
  const wanted = withMetadata(
    { name: "app", description: "ours", autoApply: true },
    { ignoredPaths: ignored },
  );
  const planned = resource.plan(wanted, resource.outputs);
  expect(planned).toMatchObject({ description: "theirs", autoApply: true });
  await resource.update(wanted);
  expect(mismatches(planned, resource)).toEqual([]);
});

test("the planned outputs of an update keep the workspace ID that the service assigned", async () => {
  const { resource } = await made({ name: "app", description: "first" });
  const planned = resource.plan({ name: "app", description: "second" }, resource.outputs);
  expect(planned.workspaceId).toBe(resource.outputs.workspaceId);
  expect(planned).toMatchObject({
    name: "app",
    organization: "acme",
    description: "second",
    createdAt: UNKNOWN,
  });
});

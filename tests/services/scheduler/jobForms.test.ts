import { PartialError } from "../../../provider/core/state/errors";
import { formatPath } from "../../../provider/core/value/path";
import { JobScene, typedWeb, web, webText } from "./job-scene";

const [typedGroup] = typedWeb.taskGroups;
const group = { Name: "front", Count: 2, Tasks: [{ Name: "server", Driver: "docker" }] };

describe("a difference says where it is in what the program writes", () => {
  test.each([
    [
      "spec",
      { spec: typedWeb },
      { spec: { ...typedWeb, taskGroups: [{ ...typedGroup, count: 3 }] } },
      "spec.taskGroups[0].count",
    ],
    [
      "json",
      { json: web },
      { json: { ...web, TaskGroups: [{ ...group, Count: 3 }] } },
      "json.TaskGroups[0].Count",
    ],
    ["hcl", { hcl: webText }, { hcl: webText.replace("count = 2", "count = 3") }, "hcl"],
  ])("%s: by its own names, and the numbers of elements", async (_, first, second, where) => {
    const { resource } = new JobScene();
    await resource.create((await resource.prepare(first)).inputs as typeof first);
    const { inputs } = await resource.prepare(second);
    const { changes } = resource.preview(inputs);
    expect(changes.map(({ written, kind, replaces }) => [formatPath(written), kind, replaces])).toEqual([
      [where, "update", false],
    ]);
  });

  test("what is dropped, by where it stood; what is new, by where it stands; what is another object, as a replacement", async () => {
    const { resource } = new JobScene();
    const second = { Name: "back", Tasks: [{ Name: "t", Driver: "docker" }] };
    await resource.create({ json: { ...web, Priority: 60, TaskGroups: [group, second] } });
    const told = (json: object, namespace?: string) =>
      resource
        .preview({ json: { ...web, ...json }, ...(namespace && { namespace }) })
        .changes.map(
          ({ written, kind, replaces }) => `${kind} ${formatPath(written)}${replaces ? " replaces" : ""}`,
        );
    expect(told({})).toEqual([
      "delete json.TaskGroups[1].Name",
      "delete json.TaskGroups[1].Tasks[0].Name",
      "delete json.TaskGroups[1].Tasks[0].Driver",
      "delete json.Priority",
    ]);
    expect(told({ Priority: 60, Meta: { a: "b" }, TaskGroups: [group, second] })).toEqual([
      "add json.Meta.a",
    ]);
    expect(told({ Priority: 60, TaskGroups: [group, second] }, "shop")).toEqual(["add namespace replaces"]);
  });
});

test("a job that is half made carries what the program wrote beside what is live", async () => {
  const { resource, world } = new JobScene();
  world.fate = ({ method }) => (method === "GET" ? "request lost" : "passes");
  const failure = await resource.create({ json: web, purge: true }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PartialError);
  expect(failure).toMatchObject({ inputs: { json: web, purge: true } });
});

test("a job that was only read is a program that can be checked and changed: its id is in its document", async () => {
  const scene = new JobScene();
  await scene.resource.create({ json: web });
  const imported = scene.another();
  await imported.get(scene.resource.id);
  const { inputs } = imported;
  expect(imported.check(inputs)).toEqual([]);
  expect(imported.preview(inputs).changes).toEqual([]);
  await scene.register({ ...web, Meta: { theirs: "yes" } });
  await imported.refresh();
  await imported.up(inputs);
  expect(await imported.refresh()).toBe(true);
  expect(imported.preview(inputs).changes).toEqual([]);
});

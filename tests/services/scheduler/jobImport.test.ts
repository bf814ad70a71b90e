import { PartialError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import { formatPath } from "../../../provider/core/value/path";
import { importedJob, withoutDefaults } from "../../../provider/services/scheduler/jobImport";
import { setFate } from "../interference";
import { JobScene, typedWeb, web, webText } from "./job-scene";

const SECOND = 1_000_000_000;

test.each(["service", "batch", "system", "sysbatch"])(
  "of a %s job that says nothing by itself nothing but its own is left",
  async (Type) => {
    const scene = new JobScene();
    const own = { ID: "web", Type, TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }] };
    await scene.resource.create({ json: own });
    const job = await scene.held();
    const { TaskGroups } = Object(withoutDefaults(job));
    for (const block of ["RestartPolicy", "ReschedulePolicy", "Migrate", "EphemeralDisk"])
      expect(Object.keys(TaskGroups[0])).not.toContain(block);
    for (const block of ["RestartPolicy", "LogConfig", "KillTimeout"])
      expect(Object.keys(TaskGroups[0].Tasks[0])).not.toContain(block);
  },
);

const RESTART = { Attempts: 2, Interval: 1800 * SECOND, Delay: 15 * SECOND, Mode: "fail" };
const grouped = (group: Record<string, Json>, job: Record<string, Json> = {}) => ({
  ...job,
  TaskGroups: [{ Name: "g", ...group }],
});

test("of a policy only the members are left that differ from what Nomad puts in", () => {
  const job = grouped({ RestartPolicy: { ...RESTART, Attempts: 9 }, EphemeralDisk: { SizeMB: 300 } });
  expect(withoutDefaults(job)).toEqual(grouped({ RestartPolicy: { Attempts: 9 } }));
});

test("a zero stays where Nomad would put in another value", () => {
  const job = grouped({ RestartPolicy: { ...RESTART, Attempts: 0 } });
  expect(withoutDefaults(job)).toEqual(grouped({ RestartPolicy: { Attempts: 0 } }));
});

test("a task's policy is left out only if it is its group's", () => {
  const own = { Name: "t", RestartPolicy: RESTART };
  const others = { Attempts: 9 };
  expect(withoutDefaults(grouped({ Tasks: [own] }))).toEqual(grouped({ Tasks: [{ Name: "t" }] }));
  expect(withoutDefaults(grouped({ RestartPolicy: { ...RESTART, ...others }, Tasks: [own] }))).toEqual(
    grouped({ RestartPolicy: others, Tasks: [{ Name: "t", RestartPolicy: { Attempts: 2 } }] }),
  );
});

test("an update strategy of zeros is left out where Nomad has none for the job's type", () => {
  const zeros = { Stagger: 0, MaxParallel: 0, HealthCheck: "", Canary: 0, AutoRevert: false };
  expect(withoutDefaults(grouped({}, { Type: "batch", Update: zeros }))).toEqual(
    grouped({}, { Type: "batch" }),
  );
  // A service with it is updated without a deployment.
  expect(withoutDefaults(grouped({}, { Update: zeros }))).toEqual(
    grouped({}, { Update: { MaxParallel: 0 } }),
  );
});

test("a group's update strategy is left out where it is its job's", () => {
  const update = { Stagger: 30 * SECOND, MaxParallel: 3, HealthCheck: "checks" };
  const stored = { ...update, HealthCheck: "" };
  expect(withoutDefaults(grouped({ Update: update }, { Update: stored }))).toEqual(
    grouped({}, { Update: { MaxParallel: 3 } }),
  );
  expect(withoutDefaults(grouped({ Update: { ...update, MaxParallel: 1 } }, { Update: stored }))).toEqual(
    grouped({ Update: { MaxParallel: 1 } }, { Update: { MaxParallel: 3 } }),
  );
});

test("a task with cores of its own has no CPU to leave out", () => {
  const resources = (own: Record<string, Json>) => grouped({ Tasks: [{ Name: "t", Resources: own }] });
  expect(withoutDefaults(resources({ Cores: 2, CPU: 0, MemoryMB: 300 }))).toEqual(resources({ Cores: 2 }));
  expect(withoutDefaults(resources({ Cores: 2, CPU: 100 }))).toEqual(resources({ Cores: 2, CPU: 100 }));
});

test("the members of a schedule and of a parameterized job that Nomad puts in are left out", () => {
  const Periodic = { Enabled: true, Spec: "@daily", TimeZone: "UTC" };
  const job = { Type: "batch", Periodic, ParameterizedJob: { Payload: "optional", MetaRequired: ["x"] } };
  expect(withoutDefaults(job)).toEqual({
    Type: "batch",
    Periodic: { Spec: "@daily" },
    ParameterizedJob: { MetaRequired: ["x"] },
  });
});

test("a scaling names its target only where that is not its own group", () => {
  const scaled = (Group: string) => ({
    TaskGroups: [
      { Name: "g", Scaling: { Min: 1, Max: 3, Target: { Namespace: "default", Job: "web", Group } } },
    ],
  });
  expect(withoutDefaults(scaled("g"))).toEqual({ TaskGroups: [{ Name: "g", Scaling: { Min: 1, Max: 3 } }] });
  expect(withoutDefaults(scaled("another"))).toEqual(scaled("another"));
});

test("a group counts one where it says nothing, and as its scaling has it", () => {
  const groups = [
    { Name: "a", Count: 1 },
    { Name: "b", Count: 2 },
    { Name: "c", Count: 1, Scaling: { Min: 1 } },
  ];
  expect(withoutDefaults({ TaskGroups: groups })).toEqual({
    TaskGroups: [{ Name: "a" }, ...groups.slice(1)],
  });
});

test("its id is in its document, and its name where that is another", () => {
  expect(importedJob({ json: { ...web, Name: "web" } }, { jobId: "web" })).toEqual({
    json: expect.not.objectContaining({ Name: "web" }),
  });
  expect(importedJob({ json: { Name: "shop" } }, { jobId: "web" })).toEqual({
    json: { ID: "web", Name: "shop" },
  });
});

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
  setFate(world, /^GET/, "request lost");
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

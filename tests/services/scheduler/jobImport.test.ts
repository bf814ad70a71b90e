import { PartialError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import { formatPath } from "../../../provider/core/value/path";
import { importedJob, withoutDefaults } from "../../../provider/services/scheduler/jobImport";
import { setFate } from "../interference";
import { JobScene, typedWeb, web, webText } from "./job-scene";

const SECOND = 1_000_000_000;

test.each(["service", "batch", "system", "sysbatch"])(
  "an import removes every default block from a minimal %s job",
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

test("an import keeps only those members of a policy that differ from Nomad's defaults", () => {
  const job = grouped({ RestartPolicy: { ...RESTART, Attempts: 9 }, EphemeralDisk: { SizeMB: 300 } });
  expect(withoutDefaults(job)).toEqual(grouped({ RestartPolicy: { Attempts: 9 } }));
});

test("an import keeps a zero if Nomad's default is not zero", () => {
  const job = grouped({ RestartPolicy: { ...RESTART, Attempts: 0 } });
  expect(withoutDefaults(job)).toEqual(grouped({ RestartPolicy: { Attempts: 0 } }));
});

test("an import removes only those members of a task's restart policy that equal its group's", () => {
  const own = { Name: "t", RestartPolicy: RESTART };
  const changed = { Attempts: 9 };
  expect(withoutDefaults(grouped({ Tasks: [own] }))).toEqual(grouped({ Tasks: [{ Name: "t" }] }));
  expect(withoutDefaults(grouped({ RestartPolicy: { ...RESTART, ...changed }, Tasks: [own] }))).toEqual(
    grouped({ RestartPolicy: changed, Tasks: [{ Name: "t", RestartPolicy: { Attempts: 2 } }] }),
  );
});

test("an import removes an update strategy of zeros if the job type has no default strategy", () => {
  const zeros = { Stagger: 0, MaxParallel: 0, HealthCheck: "", Canary: 0, AutoRevert: false };
  expect(withoutDefaults(grouped({}, { Type: "batch", Update: zeros }))).toEqual(
    grouped({}, { Type: "batch" }),
  );
  // For a service, MaxParallel: 0 means an update without a deployment.
  expect(withoutDefaults(grouped({}, { Update: zeros }))).toEqual(
    grouped({}, { Update: { MaxParallel: 0 } }),
  );
});

test("an import removes a group's update strategy if it equals the job's", () => {
  const update = { Stagger: 30 * SECOND, MaxParallel: 3, HealthCheck: "checks" };
  const stored = { ...update, HealthCheck: "" };
  expect(withoutDefaults(grouped({ Update: update }, { Update: stored }))).toEqual(
    grouped({}, { Update: { MaxParallel: 3 } }),
  );
  expect(withoutDefaults(grouped({ Update: { ...update, MaxParallel: 1 } }, { Update: stored }))).toEqual(
    grouped({ Update: { MaxParallel: 1 } }, { Update: { MaxParallel: 3 } }),
  );
});

test("an import removes a CPU of 0 from a task with cores, but no other CPU", () => {
  const resources = (own: Record<string, Json>) => grouped({ Tasks: [{ Name: "t", Resources: own }] });
  expect(withoutDefaults(resources({ Cores: 2, CPU: 0, MemoryMB: 300 }))).toEqual(resources({ Cores: 2 }));
  expect(withoutDefaults(resources({ Cores: 2, CPU: 100 }))).toEqual(resources({ Cores: 2, CPU: 100 }));
});

test("an import removes Nomad's defaults from the Periodic and ParameterizedJob blocks", () => {
  const Periodic = { Enabled: true, Spec: "@daily", TimeZone: "UTC" };
  const job = { Type: "batch", Periodic, ParameterizedJob: { Payload: "optional", MetaRequired: ["x"] } };
  expect(withoutDefaults(job)).toEqual({
    Type: "batch",
    Periodic: { Spec: "@daily" },
    ParameterizedJob: { MetaRequired: ["x"] },
  });
});

test("an import keeps the target of a scaling block only if it is not its own group", () => {
  const scaled = (Group: string) => ({
    TaskGroups: [
      { Name: "g", Scaling: { Min: 1, Max: 3, Target: { Namespace: "default", Job: "web", Group } } },
    ],
  });
  expect(withoutDefaults(scaled("g"))).toEqual({ TaskGroups: [{ Name: "g", Scaling: { Min: 1, Max: 3 } }] });
  expect(withoutDefaults(scaled("another"))).toEqual(scaled("another"));
});

test("an import keeps the target of a task's scaling policy only if it is not the task itself", () => {
  const scaled = (target: object) => {
    const ScalingPolicies = [{ Type: "vertical_mem", Max: 512, ...target }];
    return { TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker", ScalingPolicies }] }] };
  };
  const targetOf = (Task: string) => ({ Target: { Namespace: "default", Job: "web", Group: "g", Task } });
  expect(withoutDefaults(scaled(targetOf("t")))).toEqual(scaled({}));
  expect(withoutDefaults(scaled(targetOf("u")))).toEqual(scaled(targetOf("u")));
});

test("an import removes a count of 1 only from groups without a scaling block", () => {
  const groups = [
    { Name: "a", Count: 1 },
    { Name: "b", Count: 2 },
    { Name: "c", Count: 1, Scaling: { Min: 1 } },
  ];
  expect(withoutDefaults({ TaskGroups: groups })).toEqual({
    TaskGroups: [{ Name: "a" }, ...groups.slice(1)],
  });
});

test("an imported job contains its ID, and its Name only if that is different", () => {
  expect(importedJob({ json: { ...web, Name: "web" } }, { jobId: "web" })).toEqual({
    json: expect.not.objectContaining({ Name: "web" }),
  });
  expect(importedJob({ json: { Name: "shop" } }, { jobId: "web" })).toEqual({
    json: { ID: "web", Name: "shop" },
  });
});

const [typedGroup] = typedWeb.taskGroups;
const group = { Name: "front", Count: 2, Tasks: [{ Name: "server", Driver: "docker" }] };

describe("paths of preview changes", () => {
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
  ])("use the names and list indexes that the program writes: %s", async (_, first, second, changedPath) => {
    const { resource } = new JobScene();
    await resource.create((await resource.prepare(first)).inputs as typeof first);
    const { inputs } = await resource.prepare(second);
    const { changes } = resource.preview(inputs);
    expect(changes.map(({ written, kind, replaces }) => [formatPath(written), kind, replaces])).toEqual([
      [changedPath, "update", false],
    ]);
  });

  test("name removed and added fields, and mark a new namespace as a replacement", async () => {
    const { resource } = new JobScene();
    const second = { Name: "back", Tasks: [{ Name: "t", Driver: "docker" }] };
    await resource.create({ json: { ...web, Priority: 60, TaskGroups: [group, second] } });
    const changesOf = (json: object, namespace?: string) =>
      resource
        .preview({ json: { ...web, ...json }, ...(namespace && { namespace }) })
        .changes.map(
          ({ written, kind, replaces }) => `${kind} ${formatPath(written)}${replaces ? " replaces" : ""}`,
        );
    expect(changesOf({})).toEqual([
      "delete json.TaskGroups[1].Name",
      "delete json.TaskGroups[1].Tasks[0].Name",
      "delete json.TaskGroups[1].Tasks[0].Driver",
      "delete json.Priority",
    ]);
    expect(changesOf({ Priority: 60, Meta: { a: "b" }, TaskGroups: [group, second] })).toEqual([
      "add json.Meta.a",
    ]);
    expect(changesOf({ Priority: 60, TaskGroups: [group, second] }, "shop")).toEqual([
      "add namespace replaces",
    ]);
  });
});

test("the error of a partially created job contains the inputs of the program", async () => {
  const { resource, world } = new JobScene();
  setFate(world, /^GET/, "request lost");
  const failure = await resource.create({ json: web, purge: true }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PartialError);
  expect(failure).toMatchObject({ inputs: { json: web, purge: true } });
});

test("the inputs of an imported job pass the check, show no changes and revert a change by someone else", async () => {
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

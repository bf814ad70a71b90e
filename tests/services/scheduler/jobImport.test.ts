import { importedJob, withoutDefaults } from "../../../provider/services/scheduler/jobImport";
import { JobScene, web } from "./job-scene";

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

test("a policy that says anything of its own stays whole", () => {
  const RestartPolicy = { Attempts: 9, Interval: 1800 * SECOND, Delay: 15 * SECOND, Mode: "fail" };
  const job = { TaskGroups: [{ Name: "g", RestartPolicy, EphemeralDisk: { SizeMB: 300 } }] };
  expect(withoutDefaults(job)).toEqual({ TaskGroups: [{ Name: "g", RestartPolicy }] });
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

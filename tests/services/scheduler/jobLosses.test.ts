import type { Values } from "../../../provider/core/language/object";
import { formatJson, isObject, type Json } from "../../../provider/core/value/json";
import { expectNoChanges } from "../expectations";
import { JobScene, typedWeb } from "./job-scene";

const withTask = (more: { [member: string]: Json }): { [member: string]: Json } => ({
  ...typedWeb,
  taskGroups: [
    {
      name: "front",
      tasks: [
        { name: "main", driver: "docker" },
        { name: "server", driver: "docker", ...more },
      ],
    },
  ],
});
const template = { embeddedTmpl: "x", destPath: "y", changeMode: "signal" };

/** Values that Nomad returns in a different form than it received them. */
const normalized: readonly [string, { [member: string]: Json }][] = [
  ["a lowercase signal of a template", { templates: [{ ...template, changeSignal: "sigusr1" }] }],
  ["a lowercase signal of a Vault block", { secrets: { changeMode: "signal", changeSignal: "sigusr1" } }],
  ["an empty lifecycle", { lifecycle: { hook: "", sidecar: false } }],
];

describe("a registration whose response was lost", () => {
  test.each(normalized)("is recognized as ours in a create with %s", async (_, task) => {
    const scene = new JobScene();
    loseNextAnswer(scene);
    await scene.resource.create({ spec: withTask(task) });
    expect(scene.registers).toHaveLength(1);
    expect(scene.resource.preview({ spec: withTask(task) }).changes).toEqual([]);
  });

  test.each(normalized)("is recognized as ours in an update with %s", async (_, task) => {
    const scene = new JobScene();
    await scene.resource.create({ spec: withTask({}) });
    loseNextAnswer(scene);
    const spec = { ...withTask(task), priority: 70 };
    await scene.resource.up({ spec });
    expect(scene.registers).toHaveLength(2);
    expect(scene.resource.preview({ spec }).changes).toEqual([]);
  });
});

describe("an update that removes fields and whose response was lost", () => {
  const Tasks = [{ Name: "main", Driver: "docker" }];
  const plain = { TaskGroups: [{ Name: "front", Tasks }] };
  const scaled = { TaskGroups: [{ Name: "front", Tasks, Scaling: { Min: 1, Max: 10, Enabled: true } }] };
  const small = {
    TaskGroups: [
      { Name: "front", Tasks: [{ Name: "main", Driver: "docker", Resources: { CPU: 100, MemoryMB: 128 } }] },
    ],
  };

  test.each<[string, Values, Values]>([
    ["a type that equals the default", { ...plain, Type: "service" }, scaled],
    [
      "a priority that equals the default, and datacenters",
      { ...plain, Priority: 50, Datacenters: ["dc1"] },
      scaled,
    ],
    ["a block in which one member equals the default", small, plain],
  ])("is recognized as ours if it removes %s", async (_, before, after) => {
    const scene = new JobScene();
    await scene.resource.create({ json: { ID: "web", ...before } });
    let registers = 0;
    scene.world.fate = ({ nature }) => (nature !== "read" && registers++ === 0 ? "response lost" : "passes");
    const program = { json: { ID: "web", ...after } };
    await scene.resource.up(program);
    expect(scene.registers).toHaveLength(2);
    expect(scene.resource.preview(program).changes).toEqual([]);
  });
});

test("signal names are compared without regard to case", async () => {
  const scene = new JobScene();
  const signal = (changeSignal: string) => withTask({ templates: [{ ...template, changeSignal }] });
  await scene.resource.create({ spec: signal("sigusr1") });
  expect(scene.resource.preview({ spec: signal("SIGUSR1") }).changes).toEqual([]);
  expect(scene.resource.preview({ spec: signal("sigusr2") }).changes).not.toEqual([]);
});

function loseNextAnswer(scene: JobScene): void {
  let sent = 0;
  scene.world.fate = () => (sent++ === 0 ? "response lost" : "passes");
}

/** A job with a group service and a task service, both without a name. */
const job = (tags: string[] | undefined, more: { [member: string]: Json } = {}) => ({
  id: "web",
  taskGroups: [
    {
      name: "front",
      services: [{ portLabel: "http", provider: "nomad", ...(tags && { tags }) }],
      tasks: [{ name: "server", driver: "docker", services: [{ portLabel: "admin", provider: "nomad" }] }],
    },
  ],
  ...more,
});

describe("a service whose name contains job variables", () => {
  const named = (name: string, ofTask: string, tags = ["a"]) => {
    const spec = job(tags);
    for (const group of spec.taskGroups) {
      for (const service of group.services) Object.assign(service, { name });
      for (const task of group.tasks)
        for (const service of task.services) Object.assign(service, { name: ofTask });
    }
    return spec;
  };

  test.each([
    [`\${JOB}-api`, "web-api", `\${BASE}`, "web-front-server"],
    [`\${TASKGROUP}`, "front", `\${TASK}-\${JOB}`, "server-web"],
    [`\${BASE}`, "web-front-group", `\${constructor}-\${TASK}`, `\${constructor}-server`],
  ])(
    "shows no changes from %s to %s in a group, and from %s to %s in a task",
    async (written, stored, writtenOfTask, storedOfTask) => {
      const { scene, resource, registers } = await created(named(written, writtenOfTask));
      expect(servicesIn(await scene.held())).toMatchObject([{ Name: stored }]);
      const plain = { spec: named(stored, storedOfTask) };
      await expectNoChanges(resource, plain);
      expect(resource.inputs).toEqual({ spec: named(written, writtenOfTask) });
      expect(formatJson(registers)).toContain(formatJson(written));
    },
  );

  test("is shown as removed in the preview, and is removed by the update", async () => {
    const { scene, resource } = await created(named(`\${JOB}-api`, `\${BASE}`));
    const { taskGroups } = named(`\${JOB}-api`, `\${BASE}`);
    const less = {
      spec: { ...job(["a"]), taskGroups: taskGroups.map(({ services: _, ...group }) => group) },
    };
    expect(resource.preview(less).changes).toContainEqual(
      expect.objectContaining({
        path: ["spec", "TaskGroups", "\u0001front", "Services", "\u0001web-api/http", "Name"],
        kind: "delete",
      }),
    );
    await resource.up(less);
    expect(servicesIn(await scene.held())).toBeNull();
  });
});

describe("a service without a name", () => {
  test("shows no changes against the name that Nomad derives from job, group and task", async () => {
    const { resource } = new JobScene();
    await resource.create({ spec: job(["a"]) });
    const named = job(["a"]);
    for (const group of named.taskGroups) {
      for (const service of group.services) Object.assign(service, { name: "web-front" });
      for (const task of group.tasks)
        for (const service of task.services) Object.assign(service, { name: "web-front-server" });
    }
    expect(resource.preview({ spec: named }).changes).toEqual([]);
  });

  test("is named after the job's name if that differs from its ID", async () => {
    const { resource } = new JobScene();
    await resource.create({ spec: job(["a"], { name: "shop" }) });
    expect(resource.preview({ spec: job(["b"], { name: "shop" }) }).changes).toMatchObject([
      { path: ["spec", "TaskGroups", "\u0001front", "Services", "\u0001shop-front/http", "Tags"] },
    ]);
  });

  test("is sent without a name", async () => {
    const { resource, registers } = await created(job(["a"]));
    expect(resource.preview({ spec: job(["a"]) }).changes).toEqual([]);
    expect(formatJson(registers)).not.toContain("web-front");
  });

  test("stays a single service after a change outside the stack and a refresh", async () => {
    const { scene, resource } = await created(job(["a"]));
    await scene.register(changed(await scene.held(), ["b"]));
    await resource.refresh();
    expect(servicesIn(resource.inputs.spec ?? null)).toMatchObject([{ portLabel: "http", tags: ["b"] }]);
    await resource.up(resource.inputs);
    expect(servicesIn(await scene.held())).toMatchObject([{ Name: "web-front", Tags: ["b"] }]);
  });

  test("does not prevent recognition of our create after a lost response", async () => {
    const scene = new JobScene();
    loseNextAnswer(scene);
    await scene.resource.create({ spec: job(["a"]) });
    expect(scene.registers).toHaveLength(1);
    expect(scene.resource.preview({ spec: job(["a"]) }).changes).toEqual([]);
  });

  test("does not prevent recognition of our update after a lost response", async () => {
    const { scene, resource } = await created(job(["a"]));
    loseNextAnswer(scene);
    await resource.up({ spec: job(["b"]) });
    expect(scene.registers).toHaveLength(2);
    expect(resource.preview({ spec: job(["b"]) }).changes).toEqual([]);
  });
});

async function created(spec: Json) {
  const scene = new JobScene();
  await scene.resource.create({ spec });
  return { scene, resource: scene.resource, registers: scene.registers };
}

/** The services of the first group, in the names of `spec` or of the API. */
function servicesIn(job: Json): Json {
  const groups = isObject(job) ? (job.taskGroups ?? job.TaskGroups) : null;
  const [group] = Array.isArray(groups) ? groups : [];
  return (isObject(group) ? (group.services ?? group.Services) : null) ?? null;
}

function changed(stored: { [member: string]: Json }, tags: Json): Json {
  const copy = structuredClone(stored);
  const services = servicesIn(copy);
  const [service] = Array.isArray(services) ? services : [];
  if (isObject(service)) service.Tags = tags;
  return copy;
}

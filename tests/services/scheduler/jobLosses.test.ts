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

/** What the service answers in other words than it was given. */
const reworded: readonly [string, { [member: string]: Json }][] = [
  ["a template's signal in lower case", { templates: [{ ...template, changeSignal: "sigusr1" }] }],
  ["an access's signal in lower case", { secrets: { changeMode: "signal", changeSignal: "sigusr1" } }],
  ["a lifecycle of nothing", { lifecycle: { hook: "", sidecar: false } }],
];

describe("a register whose answer was lost is known as ours", () => {
  test.each(reworded)("in a create: %s", async (_, task) => {
    const scene = new JobScene();
    loseNextAnswer(scene);
    await scene.resource.create({ spec: withTask(task) });
    expect(scene.registers).toHaveLength(1);
    expect(scene.resource.preview({ spec: withTask(task) }).changes).toEqual([]);
  });

  test.each(reworded)("in an update: %s", async (_, task) => {
    const scene = new JobScene();
    await scene.resource.create({ spec: withTask({}) });
    loseNextAnswer(scene);
    const spec = { ...withTask(task), priority: 70 };
    await scene.resource.up({ spec });
    expect(scene.registers).toHaveLength(2);
    expect(scene.resource.preview({ spec }).changes).toEqual([]);
  });
});

describe("a register whose answer was lost, and that leaves out what goes back to the scheduler's own value, is known as ours", () => {
  const Tasks = [{ Name: "main", Driver: "docker" }];
  const plain = { TaskGroups: [{ Name: "front", Tasks }] };
  const scaled = { TaskGroups: [{ Name: "front", Tasks, Scaling: { Min: 1, Max: 10, Enabled: true } }] };
  const small = {
    TaskGroups: [
      { Name: "front", Tasks: [{ Name: "main", Driver: "docker", Resources: { CPU: 100, MemoryMB: 128 } }] },
    ],
  };

  test.each<[string, Values, Values]>([
    ["its type", { ...plain, Type: "service" }, scaled],
    ["its priority, beside a value of its own", { ...plain, Priority: 50, Datacenters: ["dc1"] }, scaled],
    ["a block of which one part stays as it was", small, plain],
  ])("%s", async (_, before, after) => {
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

test("a signal is the same in upper and lower case", async () => {
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

/** A job with a service of a group and one of a task, neither of which has a name of its own. */
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

describe("a service whose name contains variables of its job", () => {
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
  ])("%s is %s, and of a task %s is %s", async (written, stored, writtenOfTask, storedOfTask) => {
    const { scene, resource, registers } = await created(named(written, writtenOfTask));
    expect(servicesIn(await scene.held())).toMatchObject([{ Name: stored }]);
    const plain = { spec: named(stored, storedOfTask) };
    await expectNoChanges(resource, plain);
    expect(resource.inputs).toEqual({ spec: named(written, writtenOfTask) });
    expect(formatJson(registers)).toContain(formatJson(written));
  });

  test("is removed with its element, which the preview shows", async () => {
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
  test("is the one that the scheduler names after job, group and task", async () => {
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

  test("is called after the job's name, where that is not its id", async () => {
    const { resource } = new JobScene();
    await resource.create({ spec: job(["a"], { name: "shop" }) });
    expect(resource.preview({ spec: job(["b"], { name: "shop" }) }).changes).toMatchObject([
      { path: ["spec", "TaskGroups", "\u0001front", "Services", "\u0001shop-front/http", "Tags"] },
    ]);
  });

  test("is sent as it was written", async () => {
    const { resource, registers } = await created(job(["a"]));
    expect(resource.preview({ spec: job(["a"]) }).changes).toEqual([]);
    expect(formatJson(registers)).not.toContain("web-front");
  });

  test("is still one service after others changed it and a refresh", async () => {
    const { scene, resource } = await created(job(["a"]));
    await scene.register(changed(await scene.held(), ["b"]));
    await resource.refresh();
    expect(servicesIn(resource.inputs.spec ?? null)).toMatchObject([{ portLabel: "http", tags: ["b"] }]);
    await resource.up(resource.inputs);
    expect(servicesIn(await scene.held())).toMatchObject([{ Name: "web-front", Tags: ["b"] }]);
  });

  test("is no obstacle to knowing our own create again", async () => {
    const scene = new JobScene();
    loseNextAnswer(scene);
    await scene.resource.create({ spec: job(["a"]) });
    expect(scene.registers).toHaveLength(1);
    expect(scene.resource.preview({ spec: job(["a"]) }).changes).toEqual([]);
  });

  test("is no obstacle to knowing our own update again", async () => {
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

/** The services of the first group, in either language. */
function servicesIn(job: Json): Json {
  const groups = isObject(job) ? (job.taskGroups ?? job.TaskGroups) : null;
  const [group] = Array.isArray(groups) ? groups : [];
  return (isObject(group) ? (group.services ?? group.Services) : null) ?? null;
}

function changed(held: { [member: string]: Json }, tags: Json): Json {
  const copy = structuredClone(held);
  const services = servicesIn(copy);
  const [service] = Array.isArray(services) ? services : [];
  if (isObject(service)) service.Tags = tags;
  return copy;
}

import { z } from "zod";
import { fieldsOf, innerSchema } from "../../../provider/core/language/fields";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { isObject, type Json } from "../../../provider/core/value/json";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import job from "../../../provider/services/scheduler/job";
import { jobTyped } from "../../../provider/services/scheduler/jobDocument";
import { jobSpec } from "../../../provider/services/scheduler/spec/job";
import { job as shape } from "../../../testing/stub/services/scheduler/shape/job";
import { expectNoChanges } from "../expectations";
import { JobScene, typedWeb, web, webText } from "./job-scene";

/** A value of a schema in which every member stands once. */
function whole(schema: z.ZodType): Json {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(inner.shape).map(([name, member]) => [name, whole(member as z.ZodType)]),
    );
  }
  // zod types what stands inside these as its core type; they hold full schemas.
  if (inner instanceof z.ZodArray) return [whole(inner.element as z.ZodType)];
  if (inner instanceof z.ZodRecord) return { key: whole(inner.valueType as z.ZodType) };
  if (inner instanceof z.ZodUnion) return "1m30s";
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodNumber) return 1;
  return "text";
}

/** Every path of a value, elements of lists as one, and what stands under the user's keys left out. */
function pathsIn(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => pathsIn(element, `${path}[]`));
  if (!isObject(value)) return [path];
  const below = Object.entries(value).flatMap(([name, member]) =>
    pathsIn(member, path === "" ? name : `${path}.${name}`),
  );
  return [path, ...below];
}

const everything = whole(jobSpec);
const onTheWire = jobTyped.encode?.(everything) ?? null;

/** What only the service sets (specification: Job (full); wire facts: Server-owned). */
const SERVERS =
  /^(ParentID|Dispatched|DispatchIdempotencyToken|SchedTokenID|Status|StatusDescription|Stable|Version|SubmitTime|CreateIndex|ModifyIndex|JobModifyIndex|VersionTag(\..*)?)$|\.(Scaling|ScalingPolicies\[\])\.(ID|CreateIndex|ModifyIndex)$/;

describe("the typed spec", () => {
  test("sends no member that the service does not know, and each in the type that it takes", () => {
    const read = shape.read(onTheWire, "Job") ?? {};
    expect(pathsIn(read).sort()).toEqual(pathsIn(onTheWire).sort());
  });

  test("has every member of the document that a program may set", () => {
    const known = new Set(pathsIn(onTheWire));
    const listed = pathsIn(membersOfShape()).filter((path) => path !== "" && !SERVERS.test(path));
    expect(listed.filter((path) => !known.has(path))).toEqual([]);
  });

  test("documents every member", () => {
    const undocumented = pathsWithout(jobSpec, "spec");
    expect(undocumented).toEqual([]);
  });

  test("leaves the user's own maps alone, names and values", async () => {
    const { resource, ...scene } = scened();
    const task = {
      ...typedWeb.taskGroups[0]?.tasks[0],
      env: { cpu: "1", lTarget: "x" },
      config: { image: "web:1", memoryMB: { id: 1 } },
      meta: { "cost centre": "a" },
    };
    await resource.create({ spec: { ...typedWeb, taskGroups: [{ name: "front", tasks: [task] }] } });
    expect(scene.registered()).toMatchObject({
      TaskGroups: [
        {
          Tasks: [
            {
              Env: { cpu: "1", lTarget: "x" },
              Config: { image: "web:1", memoryMB: { id: 1 } },
              Meta: { "cost centre": "a" },
            },
          ],
        },
      ],
    });
  });

  test("sends durations as whole nanoseconds, written as such or with units, and both are one value", async () => {
    const { resource, ...scene } = scened();
    const waiting = (killTimeout: Json) => ({
      spec: {
        id: "web",
        taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker", killTimeout }] }],
      },
    });
    await resource.create(waiting("20s"));
    expect(scene.registered()).toMatchObject({ TaskGroups: [{ Tasks: [{ KillTimeout: 20_000_000_000 }] }] });
    expect(resource.preview(waiting(20_000_000_000)).changes).toEqual([]);
    expect(resource.preview(waiting("0m20s")).changes).toEqual([]);
    expect(resource.preview(waiting("21s")).changes).toMatchObject([{ kind: "update" }]);
  });

  test("takes every duration that whole nanoseconds can say, a year of them too", async () => {
    const { resource, ...scene } = scened();
    const waiting = (maxRunDuration: Json) => ({
      spec: {
        id: "web",
        type: "batch",
        taskGroups: [{ name: "front", maxRunDuration, tasks: [{ name: "server", driver: "docker" }] }],
      },
    });
    const year = 31_536_000_000_000_000;
    for (const spelling of [year, "8760h", "365d", "+8759.5h30.m", "8760h.0s"]) {
      expect([spelling, resource.check(waiting(spelling))]).toEqual([spelling, []]);
    }
    await resource.create(waiting(year));
    expect(scene.registered()).toMatchObject({ TaskGroups: [{ MaxRunDuration: year }] });
    expect(resource.preview(waiting("8760h")).changes).toEqual([]);
    expect(resource.check(waiting(0.5))).toMatchObject([{ path: expect.stringContaining("maxRunDuration") }]);
  });

  test.each(["0.5ns", "-0.0001us"])("takes no duration below a nanosecond: %s", (killTimeout) => {
    const { resource } = scened();
    const [front] = typedWeb.taskGroups;
    const [server] = front?.tasks ?? [];
    const spec = { ...typedWeb, taskGroups: [{ ...front, tasks: [{ ...server, killTimeout }] }] };
    expect(resource.check({ spec })).toMatchObject([
      {
        path: "spec.taskGroups[0].tasks[0].killTimeout",
        reason: expect.stringContaining("must be nothing, or a nanosecond at least"),
      },
    ]);
  });

  test.each<[string, Json]>([
    ["the same job as JSON", web],
    ["the same job as text", JSON.stringify(web)],
  ])("is no change against %s, either way", async (_, json) => {
    const typed = scened();
    await typed.resource.create({ spec: typedWeb });
    expect(typed.resource.preview({ json }).changes).toEqual([]);
    const plain = scened();
    await plain.resource.create({ json });
    expect(plain.resource.preview({ spec: typedWeb }).changes).toEqual([]);
  });

  test("is no change where it spells defaults out", async () => {
    const { resource } = scened();
    await resource.create({ json: web });
    const spelled = { ...typedWeb, type: "service", priority: 50, datacenters: ["*"], nodePool: "default" };
    expect(resource.preview({ spec: spelled }).changes).toEqual([]);
  });

  test("names what is misspelt, missing or of the wrong type, with its path, all at once", () => {
    const { resource } = scened();
    const problems = resource.check({
      spec: {
        id: "",
        prioritty: 50,
        taskGroups: [{ name: "front", tasks: [{ name: "server", killTimeout: "soon", leader: "yes" }] }],
      },
    });
    expect(problems.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual([
      'spec.id: given "": must not be empty',
      "spec.prioritty: given 50: there is no such property; did you mean priority?",
      "spec.taskGroups[0].tasks[0].driver: is missing: text",
      'spec.taskGroups[0].tasks[0].killTimeout: given "soon": must be a duration with units, such as 1m30s',
      'spec.taskGroups[0].tasks[0].leader: given "yes": must be true or false',
    ]);
  });

  test("shows only what changes where a part of it is not known yet, and stays where it is", async () => {
    const { resource } = scened({ namespace: "default" });
    const spec = { ...typedWeb, namespace: "shop", meta: { team: "a" } };
    await resource.create({ spec });
    expect(resource.id).toBe("shop/web");
    const { changes } = resource.preview({ spec: { ...spec, meta: { team: UNKNOWN } } });
    expect(changes).toMatchObject([{ path: ["spec", "Meta", "team"], replaces: false }]);
  });

  test("replaces where its id or its namespace is another", async () => {
    const { resource } = scened();
    await resource.create({ spec: typedWeb });
    const replaced = (spec: Json) =>
      resource
        .preview({ spec })
        .changes.filter(({ replaces }) => replaces)
        .map(({ path }) => path);
    expect(replaced({ ...typedWeb, id: "other" })).toEqual([["jobId"]]);
    expect(replaced({ ...typedWeb, namespace: "shop" })).toEqual([["namespace"]]);
    expect(replaced({ ...typedWeb, priority: 60 })).toEqual([]);
  });

  test("comes back from a refresh as the program writes it, with what others changed", async () => {
    const { resource, scene } = scened();
    await resource.create({ spec: typedWeb });
    await scene.register({ ...web, Priority: 60, Update: { MaxParallel: 2 } });
    await resource.refresh();
    expect(resource.inputs.spec).toMatchObject({
      ...typedWeb,
      priority: 60,
      taskGroups: [{ ...typedWeb.taskGroups[0], update: { maxParallel: 2 } }],
    });
  });

  test("tells a conflict in the program's names", async () => {
    const { resource, scene } = scened();
    await resource.create({ spec: typedWeb });
    await scene.register({ ...web, TaskGroups: [{ ...web.TaskGroups[0], Count: 5 }] });
    const failure = await resource.up({ spec: { ...typedWeb, priority: 70 } }).catch(String);
    expect(failure).toMatch(/spec\.taskGroups\["front"\]\.count\s+2\s+2\s+5/);
  });

  test("keeps its tokens secret, and nothing else for their sake", () => {
    const spec = { ...typedWeb, secretsToken: "canary", meshToken: "canary" };
    expect(new SecretMap(job, { spec }).holdsSecret(["spec", "secretsToken"], "canary")).toBe(true);
    expect(new SecretMap(job, { spec }).holdsSecret(["spec", "meshToken"], "canary")).toBe(true);
    expect(new SecretMap(job, { spec }).holdsSecret(["spec"], spec)).toBe(false);
    expect(new SecretMap(job, { spec }).holdsSecret(["spec", "id"], "web")).toBe(false);
    expect(new SecretMap(job, { spec }).isSecret(["spec", "SecretsToken"])).toBe(true);
  });
});

test("a job says the same to a service that speaks the product's names", async () => {
  const scene = new JobScene({ dialect: "real" }, { switches: { dialect: "real", acl: false } });
  const spec = {
    ...typedWeb,
    meshNamespace: "mesh",
    secretsNamespace: "secrets",
    secretsToken: "canary",
    taskGroups: [
      {
        name: "front",
        mesh: { namespace: "ours" },
        tasks: [
          {
            name: "server",
            driver: "docker",
            secrets: { role: "web" },
            mesh: { cluster: "second" },
            templates: [{ embeddedTmpl: "x", destPath: "y", secretsGrace: "1m" }],
          },
        ],
      },
    ],
  };
  await scene.resource.create({ spec });
  const { inputs } = await scene.resource.prepare({ hcl: webText.replace("docker", "exec") });
  expect(scene.resource.preview({ spec }).changes).toEqual([]);
  expect(scene.resource.preview(inputs).changes).not.toEqual([]);
  await scene.resource.refresh();
  expect(scene.resource.preview({ spec }).changes).toEqual([]);
  expect(scene.registers[0]).toMatchObject({ Job: { VaultToken: "canary" } });
  expect(scene.stub.dump()).toMatchObject({
    global: {
      jobs: {
        "default/web": {
          MeshNamespace: "mesh",
          SecretsNamespace: "secrets",
          TaskGroups: [
            {
              Mesh: { Namespace: "ours" },
              Tasks: [
                {
                  Secrets: { Role: "web" },
                  Mesh: { Cluster: "second" },
                  Templates: [{ SecretsGrace: 60_000_000_000 }],
                },
              ],
            },
          ],
        },
      },
    },
  });
});

test("a check that advertises an address is no change against the same text, though the service keeps nothing of it", async () => {
  const { resource, scene } = scened();
  const check = { type: "tcp", advertise: "10.0.0.7", interval: "10s", timeout: "2s" };
  const [front] = typedWeb.taskGroups;
  const spec = {
    ...typedWeb,
    taskGroups: [{ ...front, services: [{ name: "web", portLabel: "80", checks: [check] }] }],
  };
  await resource.create({ spec });
  expect(scene.registers[0]).toMatchObject({
    Job: { TaskGroups: [{ Services: [{ Checks: [{ Advertise: "10.0.0.7" }] }] }] },
  });
  await expectNoChanges(resource, { spec });
});

test("a job is given in exactly one of its forms", () => {
  const { resource } = scened();
  expect(resource.check({})).toMatchObject(
    [{ path: "spec", reason: /is missing: give the job in one of/ }].map(said),
  );
  const both = resource.check({ spec: typedWeb, json: web });
  expect(both).toMatchObject([{ path: "spec", reason: /given with spec and json/ }].map(said));
});

test("an update strategy that is handed down to the groups is no obstacle to knowing our own create again", async () => {
  const { resource, scene } = scened();
  let sent = 0;
  scene.world.fate = () => (sent++ === 0 ? "response lost" : "passes");
  const spec = { ...typedWeb, update: { maxParallel: 2, autoRevert: true } };
  await resource.create({ spec });
  expect(resource.preview({ spec }).changes).toEqual([]);
  expect(scene.registers).toHaveLength(1);
});

function scened(settings = {}) {
  const scene = new JobScene(settings);
  return { scene, resource: scene.resource, registered: () => scene.registers.at(-1)?.Job };
}

function said({ path, reason }: { path: string; reason: RegExp }) {
  return { path, reason: expect.stringMatching(reason) };
}

/** The paths of members of a schema that say nothing of themselves. */
function pathsWithout(schema: z.ZodType, path: string): string[] {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return pathsWithout(inner.element as z.ZodType, `${path}[]`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, member]) => {
    const { doc } = fieldsOf({ ...job, fields: { member } })[0]?.facts ?? { doc: "" };
    return [...(doc === "" ? [`${path}.${name}`] : []), ...pathsWithout(member, `${path}.${name}`)];
  });
}

/** The stub's own shape of a job, every member of it once. */
function membersOfShape(): unknown {
  return shape.fill(shape.read(onTheWire, "Job"));
}

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

/** A value of a schema that contains every member once. */
function sampleOf(schema: z.ZodType): Json {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(inner.shape).map(([name, member]) => [name, sampleOf(member as z.ZodType)]),
    );
  }
  // zod types the inner schemas as its core type, but they are full schemas.
  if (inner instanceof z.ZodArray) return [sampleOf(inner.element as z.ZodType)];
  if (inner instanceof z.ZodRecord) return { key: sampleOf(inner.valueType as z.ZodType) };
  if (inner instanceof z.ZodUnion) return "1m30s";
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodNumber) return 1;
  return "text";
}

/** Every path of a value; all elements of a list have the same path. */
function pathsIn(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => pathsIn(element, `${path}[]`));
  if (!isObject(value)) return [path];
  const below = Object.entries(value).flatMap(([name, member]) =>
    pathsIn(member, path === "" ? name : `${path}.${name}`),
  );
  return [path, ...below];
}

const everything = sampleOf(jobSpec);
const onTheWire = jobTyped.encode?.(everything) ?? null;

/** Members that only Nomad sets (specification: Job (full); wire facts: Server-owned). */
const SET_BY_SERVER =
  /^(ParentID|Dispatched|DispatchIdempotencyToken|SchedTokenID|Status|StatusDescription|Stable|Version|SubmitTime|CreateIndex|ModifyIndex|JobModifyIndex|VersionTag(\..*)?)$|\.(Scaling|ScalingPolicies\[\])\.(ID|CreateIndex|ModifyIndex)$/;

describe("the spec property", () => {
  test("sends only members that Nomad knows, each in the type that Nomad expects", () => {
    const read = shape.read(onTheWire, "Job") ?? {};
    expect(pathsIn(read).sort()).toEqual(pathsIn(onTheWire).sort());
  });

  test("has every member of a job that a program may set", () => {
    const known = new Set(pathsIn(onTheWire));
    const listed = pathsIn(membersOfShape()).filter((path) => path !== "" && !SET_BY_SERVER.test(path));
    expect(listed.filter((path) => !known.has(path))).toEqual([]);
  });

  test("documents every member", () => {
    const undocumented = undocumentedPaths(jobSpec, "spec");
    expect(undocumented).toEqual([]);
  });

  test("sends the keys and values of the user's own maps unchanged", async () => {
    const { resource, ...scene } = newScene();
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

  test("sends durations as nanoseconds, and shows no changes between a number and a string with units", async () => {
    const { resource, ...scene } = newScene();
    const withKillTimeout = (killTimeout: Json) => ({
      spec: {
        id: "web",
        taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker", killTimeout }] }],
      },
    });
    await resource.create(withKillTimeout("20s"));
    expect(scene.registered()).toMatchObject({ TaskGroups: [{ Tasks: [{ KillTimeout: 20_000_000_000 }] }] });
    expect(resource.preview(withKillTimeout(20_000_000_000)).changes).toEqual([]);
    expect(resource.preview(withKillTimeout("0m20s")).changes).toEqual([]);
    expect(resource.preview(withKillTimeout("21s")).changes).toMatchObject([{ kind: "update" }]);
  });

  test("accepts every duration in integer nanoseconds, including a year", async () => {
    const { resource, ...scene } = newScene();
    const withMaxRunDuration = (maxRunDuration: Json) => ({
      spec: {
        id: "web",
        type: "batch",
        taskGroups: [{ name: "front", maxRunDuration, tasks: [{ name: "server", driver: "docker" }] }],
      },
    });
    const year = 31_536_000_000_000_000;
    for (const spelling of [year, "8760h", "365d", "+8759.5h30.m", "8760h.0s"]) {
      expect([spelling, resource.check(withMaxRunDuration(spelling))]).toEqual([spelling, []]);
    }
    await resource.create(withMaxRunDuration(year));
    expect(scene.registered()).toMatchObject({ TaskGroups: [{ MaxRunDuration: year }] });
    expect(resource.preview(withMaxRunDuration("8760h")).changes).toEqual([]);
    expect(resource.check(withMaxRunDuration(0.5))).toMatchObject([
      { path: expect.stringContaining("maxRunDuration") },
    ]);
  });

  test.each(["0.5ns", "-0.0001us"])("rejects a duration below one nanosecond: %s", (killTimeout) => {
    const { resource } = newScene();
    const [front] = typedWeb.taskGroups;
    const [server] = front?.tasks ?? [];
    const spec = { ...typedWeb, taskGroups: [{ ...front, tasks: [{ ...server, killTimeout }] }] };
    expect(resource.check({ spec })).toMatchObject([
      {
        path: "spec.taskGroups[0].tasks[0].killTimeout",
        reason: expect.stringContaining("must be a whole number of nanoseconds"),
      },
    ]);
  });

  test.each<[string, Json]>([
    ["the same job as a JSON object", web],
    ["the same job as a JSON string", JSON.stringify(web)],
  ])("shows no changes against %s, in either direction", async (_, json) => {
    const typed = newScene();
    await typed.resource.create({ spec: typedWeb });
    expect(typed.resource.preview({ json }).changes).toEqual([]);
    const plain = newScene();
    await plain.resource.create({ json });
    expect(plain.resource.preview({ spec: typedWeb }).changes).toEqual([]);
  });

  test("shows no changes with explicit defaults", async () => {
    const { resource } = newScene();
    await resource.create({ json: web });
    const explicit = { ...typedWeb, type: "service", priority: 50, datacenters: ["*"], nodePool: "default" };
    expect(resource.preview({ spec: explicit }).changes).toEqual([]);
  });

  test("fails the check with the path of every misspelled, missing or wrongly typed member at once", () => {
    const { resource } = newScene();
    const problems = resource.check({
      spec: {
        id: "",
        prioritty: 50,
        taskGroups: [{ name: "front", tasks: [{ name: "server", killTimeout: "soon", leader: "yes" }] }],
      },
    });
    expect(problems.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual([
      'spec.id: given "": must not be empty',
      "spec.prioritty: given 50: unknown property; did you mean priority?",
      "spec.taskGroups[0].tasks[0].driver: is missing: text",
      'spec.taskGroups[0].tasks[0].killTimeout: given "soon": must be a duration with units, such as 1m30s',
      'spec.taskGroups[0].tasks[0].leader: given "yes": must be true or false',
    ]);
  });

  test("shows only the unknown member as a change, and does not replace the job", async () => {
    const { resource } = newScene({ namespace: "default" });
    const spec = { ...typedWeb, namespace: "shop", meta: { team: "a" } };
    await resource.create({ spec });
    expect(resource.id).toBe("shop/web");
    const { changes } = resource.preview({ spec: { ...spec, meta: { team: UNKNOWN } } });
    expect(changes).toMatchObject([{ path: ["spec", "Meta", "team"], replaces: false }]);
  });

  test("replaces the job if its ID or its namespace changes", async () => {
    const { resource } = newScene();
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

  test("is returned by a refresh in the form of the program, with changes made outside the stack", async () => {
    const { resource, scene } = newScene();
    await resource.create({ spec: typedWeb });
    await scene.register({ ...web, Priority: 60, Update: { MaxParallel: 2 } });
    await resource.refresh();
    expect(resource.inputs.spec).toMatchObject({
      ...typedWeb,
      priority: 60,
      taskGroups: [{ ...typedWeb.taskGroups[0], update: { maxParallel: 2 } }],
    });
  });

  test("names fields of a conflict as the program writes them", async () => {
    const { resource, scene } = newScene();
    await resource.create({ spec: typedWeb });
    await scene.register({ ...web, TaskGroups: [{ ...web.TaskGroups[0], Count: 5 }] });
    const failure = await resource.up({ spec: { ...typedWeb, priority: 70 } }).catch(String);
    expect(failure).toMatch(/spec\.taskGroups\["front"\]\.count\s+2\s+2\s+5/);
  });

  test("marks its tokens as secret, but no other member", () => {
    const spec = { ...typedWeb, secretsToken: "canary", meshToken: "canary" };
    expect(new SecretMap(job, { spec }).holdsSecret(["spec", "secretsToken"], "canary")).toBe(true);
    expect(new SecretMap(job, { spec }).holdsSecret(["spec", "meshToken"], "canary")).toBe(true);
    expect(new SecretMap(job, { spec }).holdsSecret(["spec"], spec)).toBe(false);
    expect(new SecretMap(job, { spec }).holdsSecret(["spec", "id"], "web")).toBe(false);
    expect(new SecretMap(job, { spec }).isSecret(["spec", "SecretsToken"])).toBe(true);
  });
});

test("a spec is sent in the names of Nomad to a server of the real dialect, and shows no changes", async () => {
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
          // Nomad 2 stores neither the job's Consul namespace nor its token.
          MeshNamespace: "",
          SecretsNamespace: "secrets",
          TaskGroups: [
            {
              Mesh: { Namespace: "ours" },
              Tasks: [
                {
                  Secrets: { Role: "web", Namespace: "secrets" },
                  Mesh: { Cluster: "second", Namespace: "ours" },
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

test("a service check with advertise shows no changes, although Nomad does not store that field", async () => {
  const { resource, scene } = newScene();
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

test("the check requires exactly one form of the job", () => {
  const { resource } = newScene();
  expect(resource.check({})).toMatchObject(
    [{ path: "spec", reason: /is missing: set the job in one of/ }].map(problemWith),
  );
  const both = resource.check({ spec: typedWeb, json: web });
  expect(both).toMatchObject([{ path: "spec", reason: /is set in spec and json/ }].map(problemWith));
});

test("a create with an update strategy that groups inherit is recognized after a lost response", async () => {
  const { resource, scene } = newScene();
  let sent = 0;
  scene.world.fate = () => (sent++ === 0 ? "response lost" : "passes");
  const spec = { ...typedWeb, update: { maxParallel: 2, autoRevert: true } };
  await resource.create({ spec });
  expect(resource.preview({ spec }).changes).toEqual([]);
  expect(scene.registers).toHaveLength(1);
});

function newScene(settings = {}) {
  const scene = new JobScene(settings);
  return { scene, resource: scene.resource, registered: () => scene.registers.at(-1)?.Job };
}

function problemWith({ path, reason }: { path: string; reason: RegExp }) {
  return { path, reason: expect.stringMatching(reason) };
}

/** The paths of the members of a schema without documentation. */
function undocumentedPaths(schema: z.ZodType, path: string): string[] {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return undocumentedPaths(inner.element as z.ZodType, `${path}[]`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, member]) => {
    const { doc } = fieldsOf({ ...job, fields: { member } })[0]?.facts ?? { doc: "" };
    return [...(doc === "" ? [`${path}.${name}`] : []), ...undocumentedPaths(member, `${path}.${name}`)];
  });
}

/** A job with every member of the stub's shape of a job. */
function membersOfShape(): unknown {
  return shape.fill(shape.read(onTheWire, "Job"));
}

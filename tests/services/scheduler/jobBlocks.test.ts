import type { Values } from "../../../provider/core/language/object";
import { RECORDS } from "../../../provider/core/state/records";
import { isObject, type Json } from "../../../provider/core/value/json";
import { expectNoChanges } from "../expectations";
import { JobScene, typedWeb, web } from "./job-scene";

const [front] = typedWeb.taskGroups;
const [server] = front?.tasks ?? [];

const withGroup = (more: { [member: string]: Json }): { [member: string]: Json } => ({
  ...typedWeb,
  taskGroups: [{ ...front, ...more }],
});
const withTask = (more: { [member: string]: Json }) => withGroup({ tasks: [{ ...server, ...more }] });
const offer = { name: "web", portLabel: "http" };

const blocks: readonly [string, { [member: string]: Json }, { [member: string]: Json }, Json[]][] = [
  [
    "a sidecar service",
    withGroup({ services: [offer] }),
    withGroup({ services: [{ ...offer, connect: { sidecarService: {} } }] }),
    ["TaskGroups", "Services", "Connect"],
  ],
  ["a Vault block of a task", withTask({}), withTask({ secrets: {} }), ["TaskGroups", "Tasks", "Secrets"]],
  ["a volume", withGroup({}), withGroup({ volumes: { data: {} } }), ["TaskGroups", "Volumes", "data"]],
  [
    "a disconnect block of a group",
    withGroup({}),
    withGroup({ disconnect: {} }),
    ["TaskGroups", "Disconnect"],
  ],
];

describe("an empty block that has an effect", () => {
  test.each(blocks)("is registered if the program adds it: %s", async (_, without, withBlock, path) => {
    const scene = new JobScene();
    await scene.resource.create({ spec: without });
    expect(scene.resource.preview({ spec: withBlock }).changes).toMatchObject([{ kind: "add" }]);
    await scene.resource.up({ spec: withBlock });
    expect(valueAt(await scene.held(), path)).not.toBeNull();
    await expectNoChanges(scene.resource, { spec: withBlock });
  });

  test.each(blocks)("is deleted if the program removes it: %s", async (_, without, withBlock, path) => {
    const scene = new JobScene();
    await scene.resource.create({ spec: withBlock });
    expect(scene.resource.preview({ spec: without }).changes).toMatchObject([{ kind: "delete" }]);
    await scene.resource.up({ spec: without });
    expect(valueAt(await scene.held(), path) ?? null).toBeNull();
    expect(scene.resource.preview({ spec: without }).changes).toEqual([]);
  });

  test.each(blocks)(
    "is drift if someone else deletes it, and the next up restores it: %s",
    async (_, without, withBlock, path) => {
      const scene = new JobScene();
      await scene.resource.create({ spec: withBlock });
      const other = scene.another();
      await other.get("default/web");
      await other.up({ spec: without });
      await scene.resource.refresh();
      expect(scene.resource.preview({ spec: withBlock }).changes).toMatchObject([{ cause: "drift" }]);
      await scene.resource.up({ spec: withBlock });
      expect(valueAt(await scene.held(), path)).not.toBeNull();
    },
  );

  test("is also shown as an addition in json", async () => {
    const scene = new JobScene();
    const batch = { ...web, Type: "batch" };
    await scene.resource.create({ json: batch });
    const { changes } = scene.resource.preview({ json: { ...batch, ParameterizedJob: {} } });
    expect(changes).toMatchObject([{ path: ["json", "ParameterizedJob"], kind: "add" }]);
  });

  test("shows no changes if Nomad ignores it", async () => {
    const scene = new JobScene();
    const spec = withTask({ lifecycle: {} });
    await scene.resource.create({ spec });
    await expectNoChanges(scene.resource, { spec });
  });

  test("shows no changes if Nomad adds it by default", async () => {
    const scene = new JobScene();
    await scene.resource.create({ spec: typedWeb });
    expect(scene.resource.preview({ spec: withGroup({ restartPolicy: {} }) }).changes).toEqual([]);
  });

  test("causes no conflict if both someone else and the program delete it", async () => {
    const scene = new JobScene();
    await scene.resource.create({ spec: withGroup({ disconnect: {} }) });
    await scene.register(web);
    await scene.resource.up({ spec: withTask({ env: { LEVEL: "info" } }) });
    expect(scene.registers).toHaveLength(3);
  });
});

/** The value at this path of a job, in the first element of each list. */
function valueAt(job: Json, path: readonly Json[]): Json | undefined {
  return path.reduce<Json | undefined>((at, name) => {
    const inner = Array.isArray(at) ? at[0] : at;
    return typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? inner[String(name)]
      : undefined;
  }, job);
}

const text = `job "web" {
  type = "batch"
  periodic {
    cron = "*/15 * * * *"
  }
  constraint {
    operator = "distinct_hosts"
    value    = "true"
  }
  group "front" {
    network {
      port "http" { to = 8080 }
    }
    service {
      port = "http"
      check {
        type     = "http"
        path     = "/"
        interval = "10s"
        timeout  = "2s"
        check_restart { limit = 3 }
      }
      connect {
        sidecar_service {
          proxy {
            upstreams {
              destination_name = "db"
              local_bind_port  = 9000
            }
          }
        }
      }
    }
    scaling { max = 4 }
    task "server" {
      driver = "docker"
      config { privileged = false }
      env { EMPTY = "" }
      vault { role = "web" }
      template {
        data        = "x"
        destination = "local/x"
        change_script { command = "/bin/reload" }
      }
    }
  }
}
`;

const upstreams = [{ DestinationName: "db", LocalBindPort: 9000 }];

/** The same job as a user writes it. */
const json = {
  ID: "web",
  Type: "batch",
  Periodic: { Spec: "*/15 * * * *" },
  Constraints: [{ Operand: "distinct_hosts", RTarget: "true" }],
  TaskGroups: [
    {
      Name: "front",
      Networks: [{ DynamicPorts: [{ Label: "http", To: 8080 }] }],
      Services: [
        {
          PortLabel: "http",
          Checks: [{ Type: "http", Path: "/", Interval: 1e10, Timeout: 2e9, CheckRestart: { Limit: 3 } }],
          Connect: { SidecarService: { Proxy: { Upstreams: upstreams } } },
        },
      ],
      Scaling: { Max: 4 },
      Tasks: [
        {
          Name: "server",
          Driver: "docker",
          Config: { privileged: false },
          Env: { EMPTY: "" },
          Secrets: { Role: "web" },
          Templates: [{ EmbeddedTmpl: "x", DestPath: "local/x", ChangeScript: { Command: "/bin/reload" } }],
        },
      ],
    },
  ],
};

const spec = {
  id: "web",
  type: "batch",
  periodic: { spec: "*/15 * * * *" },
  constraints: [{ operand: "distinct_hosts", rTarget: "true" }],
  taskGroups: [
    {
      name: "front",
      networks: [{ dynamicPorts: [{ label: "http", to: 8080 }] }],
      services: [
        {
          portLabel: "http",
          checks: [{ type: "http", path: "/", interval: "10s", timeout: "2s", checkRestart: { limit: 3 } }],
          connect: { sidecarService: { proxy: { Upstreams: upstreams } } },
        },
      ],
      scaling: { max: 4 },
      tasks: [
        {
          name: "server",
          driver: "docker",
          config: { privileged: false },
          env: { EMPTY: "" },
          secrets: { role: "web" },
          templates: [{ embeddedTmpl: "x", destPath: "local/x", changeScript: { command: "/bin/reload" } }],
        },
      ],
    },
  ],
};

const forms: readonly [string, Values][] = [
  ["hcl", { hcl: text }],
  ["json", { json }],
  ["spec", { spec }],
];
const conversions = forms.flatMap(([from, before]) =>
  forms.filter(([to]) => to !== from).map(([to, after]) => [from, to, before, after] as const),
);

describe("a job that Nomad returns with every member", () => {
  test.each(conversions)(
    "shows no changes from %s to an equal %s, before and after a refresh",
    async (_, __, from, to) => {
      const scene = new JobScene({}, { switches: { injects: [] } });
      const { inputs } = await scene.resource.prepare(from);
      // These programs contain no unknown values.
      await scene.resource.create(inputs as Values);
      const changes = async () => scene.resource.preview((await scene.resource.prepare(to)).inputs).changes;
      expect(await changes()).toEqual([]);
      await scene.resource.refresh();
      expect(await changes()).toEqual([]);
    },
  );
});

describe("a member that the program does not set", () => {
  const front: { [member: string]: Json } = { ...web.TaskGroups[0] };
  const withGroup = (more: { [member: string]: Json }): Values => ({
    json: { ...web, TaskGroups: [{ ...front, ...more }] },
  });

  test.each<[string, { [member: string]: Json }, string]>([
    ["a count of 0", { Count: 0 }, "Count"],
    ["zero restart attempts", { RestartPolicy: { Attempts: 0 } }, "RestartPolicy"],
    [
      "an option of false in a driver's config",
      { Tasks: [{ Name: "server", Driver: "docker", Config: { tty: false } }] },
      "Tasks",
    ],
    ["an empty string under a user's key", { Meta: { team: "" } }, "Meta"],
  ])("is a change if its earlier, empty value differs from the default: %s", async (_, more, member) => {
    const scene = new JobScene();
    await scene.resource.create(withGroup(more));
    const { [member]: __, ...rest } = { ...front, ...more };
    const without = member === "Tasks" ? { ...rest, Tasks: front.Tasks ?? [] } : rest;
    const { changes } = scene.resource.preview({ json: { ...web, TaskGroups: [without] } });
    expect(changes.map(({ path }) => path[3])).toEqual([member]);
  });

  test("is drift if someone else sets it, and the next up resets it", async () => {
    const scene = new JobScene();
    await scene.resource.create({ spec: typedWeb });
    const tasks = [{ Name: "server", Driver: "docker", Leader: true }];
    await scene.register({ ...web, TaskGroups: [{ Name: "front", Count: 2, Tasks: tasks }] });
    await scene.resource.refresh();
    expect(scene.resource.preview({ spec: typedWeb }).changes).toMatchObject([{ cause: "drift" }]);
    await scene.resource.up({ spec: typedWeb });
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Tasks: [{ Leader: false }] }] });
  });
});

test("members with empty values in the recorded baseline are no drift", async () => {
  const scene = new JobScene();
  await scene.resource.create({ json: web });
  const { outputs } = scene.resource;
  const record = JSON.parse(String(outputs[RECORDS]));
  const [group] = Object.values(record.baseline.json.TaskGroups);
  const [task] = Object.values(isObject(group) && isObject(group.Tasks) ? group.Tasks : {});
  Object.assign(Object(task), { Leader: false, User: "", ShutdownDelay: 0 });
  scene.resource.outputs = { ...outputs, [RECORDS]: JSON.stringify(record) };
  await scene.resource.refresh();
  expect(scene.world.logged.join()).not.toContain("changed outside this stack");
  expect(scene.resource.preview({ json: web }).changes).toEqual([]);
});

const script = (port: number) =>
  `#!/bin/sh\n# ${"starts the server and waits for it. ".repeat(4)}\nexec server --port ${port}\n`;

const program = (port = 8080) => ({
  spec: {
    id: "web",
    constraints: [{ lTarget: "kernel", rTarget: "linux", operand: "=" }],
    taskGroups: [
      {
        name: "front",
        tasks: [
          {
            name: "server",
            driver: "docker",
            config: { args: ["-v", "--quiet"] },
            templates: [{ embeddedTmpl: script(port), destPath: "local/start.sh" }],
          },
        ],
      },
    ],
  },
});

const changedJob = (constraints: Json[], args: string[], port: number): Json => ({
  ID: "web",
  Constraints: constraints,
  TaskGroups: [
    {
      Name: "front",
      Tasks: [
        {
          Name: "server",
          Driver: "docker",
          Config: { args },
          Templates: [{ EmbeddedTmpl: script(port), DestPath: "local/start.sh" }],
        },
      ],
    },
  ],
});

const linux = { LTarget: "kernel", RTarget: "linux", Operand: "=" };
const west = { LTarget: "dc", RTarget: "west", Operand: "=" };

describe("changes that someone else made in a job", () => {
  async function scene() {
    const made = new JobScene();
    await made.resource.create(program());
    await made.register(changedJob([west, linux], ["-v", "--loud"], 9090));
    return made;
  }

  test("are listed by element in a refresh, with a long string shortened to the difference", async () => {
    const { world, resource } = await scene();
    await resource.refresh();
    const task = 'spec.taskGroups["front"].tasks["server"]';
    const rows = world.logged
      .join("\n")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows).toEqual([
      ["field", "was", "is"],
      ["spec.constraints[+0]", "(none)", '{"lTarget":"dc","rTarget":"west","operand":"="}'],
      [`${task}.config.args[1]`, '"--quiet"', '"--loud"'],
      [
        `${task}.templates[0].embeddedTmpl`,
        expect.stringMatching(/^….*--port 8080\\n"$/),
        expect.stringMatching(/^….*--port 9090\\n"$/),
      ],
    ]);
  });

  test("cause a conflict, and an update after a refresh writes the complete list again", async () => {
    const made = await scene();
    await expect(made.resource.update(program(7070))).rejects.toThrow(/8080.*7070.*9090/);
    await made.resource.refresh();
    await made.resource.update(program(7070));
    expect((await made.held()).Constraints).toEqual([linux]);
  });
});

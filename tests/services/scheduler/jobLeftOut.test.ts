import type { Values } from "../../../provider/core/language/object";
import { RECORDS } from "../../../provider/core/state/records";
import { isObject, type Json } from "../../../provider/core/value/json";
import { JobScene, typedWeb, web } from "./job-scene";

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

/** The same job as somebody writes it by hand. */
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
const moves = forms.flatMap(([from, before]) =>
  forms.filter(([to]) => to !== from).map(([to, after]) => [from, to, before, after] as const),
);

describe("a job in which the service's own documents name every member", () => {
  test.each(moves)(
    "is no change from %s to an equal %s, before and after a refresh",
    async (_, __, from, to) => {
      const scene = new JobScene({}, { switches: { injects: [] } });
      const { inputs } = await scene.resource.prepare(from);
      // Everything that these programs write is known.
      await scene.resource.create(inputs as Values);
      const changes = async () => scene.resource.preview((await scene.resource.prepare(to)).inputs).changes;
      expect(await changes()).toEqual([]);
      await scene.resource.refresh();
      expect(await changes()).toEqual([]);
    },
  );
});

describe("a member that is left out", () => {
  const front: { [member: string]: Json } = { ...web.TaskGroups[0] };
  const withGroup = (more: { [member: string]: Json }): Values => ({
    json: { ...web, TaskGroups: [{ ...front, ...more }] },
  });

  test.each<[string, { [member: string]: Json }, string]>([
    ["a count of 0", { Count: 0 }, "Count"],
    ["no attempts", { RestartPolicy: { Attempts: 0 } }, "RestartPolicy"],
    [
      "a switch in a driver's config",
      { Tasks: [{ Name: "server", Driver: "docker", Config: { tty: false } }] },
      "Tasks",
    ],
    ["an empty text under a user's key", { Meta: { team: "" } }, "Meta"],
  ])("is a change where its empty value said something else: %s", async (_, more, member) => {
    const scene = new JobScene();
    await scene.resource.create(withGroup(more));
    const { [member]: __, ...rest } = { ...front, ...more };
    const without = member === "Tasks" ? { ...rest, Tasks: front.Tasks ?? [] } : rest;
    const { changes } = scene.resource.preview({ json: { ...web, TaskGroups: [without] } });
    expect(changes.map(({ path }) => path[3])).toEqual([member]);
  });

  test("and that others set is drift, and put back", async () => {
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

test("recorded members with empty values are no drift", async () => {
  const scene = new JobScene();
  await scene.resource.create({ json: web });
  const { outputs } = scene.resource;
  const record = JSON.parse(String(outputs[RECORDS]));
  const [group] = Object.values(record.baseline.json.TaskGroups);
  const [task] = Object.values(isObject(group) && isObject(group.Tasks) ? group.Tasks : {});
  Object.assign(Object(task), { Leader: false, User: "", ShutdownDelay: 0 });
  scene.resource.outputs = { ...outputs, [RECORDS]: JSON.stringify(record) };
  await scene.resource.refresh();
  expect(scene.world.logged.join()).not.toContain("changed since it was last read");
  expect(scene.resource.preview({ json: web }).changes).toEqual([]);
});

import { bridgedState } from "../../../cli/import/terraform/bridged";
import { type MigrationOptions, migrationFiles } from "../../../cli/import/terraform/files";
import { importBlocks } from "../../../cli/import/terraform/importBlocks";
import { terraformPlan } from "../../../cli/import/terraform/plan";
import { terraformState } from "../../../cli/import/terraform/state";
import { objectKey } from "../../../cli/list/discover";
import { readOnlyProvider } from "../../../cli/state/readOnly";
import { MARK, SECRET } from "../../../provider/core/bridge/engineValues";
import { type Stub, startStub } from "../../../testing/stub";
import { compiled } from "../../generate/compiled";
import { consoleOn, TOKENS } from "../../stack/console";
import { SEEDED } from "../../stack/stack";
import { terraformObjects } from "./objects";
import { rawState, type StateResource } from "./states";

let stub: Stub;
let state: string;
beforeAll(async () => {
  stub = await startStub({ ...SEEDED, dialect: "real" });
  state = await terraformObjects(consoleOn(stub));
});
afterAll(() => stub.stop());

/** The settings of the four services, also as a connection `second`. */
function host() {
  const services = Object.fromEntries(
    Object.entries(TOKENS).map(([service, token]) => {
      const address = stub.addresses[service as keyof typeof TOKENS];
      return [service, { address, token, ...(service === "workspaces" && { organization: "acme" }) }];
    }),
  );
  const settings = new Map([
    ...Object.entries(services).map(([name, own]) => [`quarterdeck:${name}`, JSON.stringify(own)] as const),
    ["quarterdeck:connections", JSON.stringify({ second: services })],
  ]);
  return readOnlyProvider({ get: (key: string) => settings.get(key), env: {} }, {});
}

async function migrated(text: string, options: Partial<MigrationOptions> = {}) {
  const source = text.includes('"deployment"') ? bridgedState(text) : terraformState(text);
  const all = {
    host: host(),
    names: new Set<string>(),
    known: new Map<string, string>(),
    outDir: "migration",
  };
  return migrationFiles(source, { ...all, hasProgram: true, hasComponents: false, ...options });
}

const namespaces = (...names: readonly string[]): StateResource => ({
  at: "nomad_namespace.team",
  instances: names.map((name) => ({ index_key: name, attributes: { id: name, name } })),
});

test("an alias becomes a connection", async () => {
  const { files, skipped } = await migrated(state);
  expect(files.get("index.ts")).toContain(`new quarterdeck.mesh.ServiceDefaults("defaults-web", {
  adopt: true,
  name: "web",
  spec: { protocol: "http" },
  connection: "second",
});`);
  expect(files.get("resources.json")).toContain('"id": "second:/default/service-defaults/web"');
  expect(files.get("report.md")).toContain("- `second` of mesh\n");
  expect(skipped.map(({ address }) => address)).toEqual([
    "tfe_organization.acme",
    "nomad_quota_specification.all",
    "nomad_namespace.old",
  ]);
});

test("modules become components on request", async () => {
  const { files } = await migrated(state, { hasComponents: true });
  const text = files.get("index.ts") ?? "";
  expect(compiled(new Map([["tests/discover/terraform/migrated.ts", text]]))).toEqual([]);
  expect(text).toContain(
    'const serviceShopModule = new pulumi.ComponentResource("terraform:modules:Service", "service-shop");',
  );
  expect(text.match(/\}, \{ parent: serviceLabModule \}\);/g)?.length).toBe(3);
});

test("a program refers to dependencies, and never to an equal value without a dependency", async () => {
  const jobs = (dependencies: readonly string[]) =>
    rawState(namespaces("shop", "lab"), {
      at: "nomad_variable.settings",
      instances: [{ attributes: { path: "app/settings", namespace: "shop" }, dependencies }],
    });
  const program = async (...dependencies: readonly string[]) =>
    (await migrated(jobs(dependencies))).files.get("index.ts");
  expect(await program("nomad_namespace.team")).toContain("namespace: teamShopNamespace.name,");
  expect(await program()).toContain('namespace: "shop",');
  // The state's dependencies are not only direct ones; those of a plan are.
  const { references } = terraformPlan(
    JSON.stringify({
      format_version: "1.2",
      configuration: {
        root_module: { resources: [{ address: "nomad_variable.settings", expressions: {} }] },
      },
    }),
  );
  const planned = await migrated(jobs(["nomad_namespace.team"]), { references });
  expect(planned.files.get("index.ts")).toContain('namespace: "shop",');
});

test("a data source becomes a function call if a migrated resource refers to it", async () => {
  const { id } = JSON.parse(state).resources[0].instances[0].attributes;
  const workspaces = JSON.parse(state).resources.filter(
    ({ type }: { type: string }) => type === "tfe_workspace",
  );
  const data = (name: string): StateResource => ({
    at: `data.tfe_project.${name}`,
    alias: "second",
    instances: [{ attributes: { id, organization: "acme", name: "core" } }],
  });
  const text = JSON.parse(rawState(data("used"), data("unused")));
  for (const { instances } of workspaces)
    for (const instance of instances) instance.dependencies = ["data.tfe_project.used"];
  text.resources.push(...workspaces);
  const { files } = await migrated(JSON.stringify(text));
  const program = files.get("index.ts") ?? "";
  expect(compiled(new Map([["tests/discover/terraform/looked.ts", program]]))).toEqual([]);
  expect(program).toContain(
    `const usedProject = quarterdeck.workspaces.getProjectOutput({
  organization: "acme",
  name: "core",
  connection: "second",
});`,
  );
  expect(program.match(/projectId: usedProject.projectId,/g)?.length).toBe(3);
  expect(program).not.toContain("unusedProject");
});

test("a dependency without a reference becomes dependsOn, without those that it implies", async () => {
  const text = (
    await migrated(
      rawState(
        namespaces("shop"),
        {
          at: "nomad_node_pool.batch",
          instances: [{ attributes: { name: "batch" }, dependencies: ["nomad_namespace.team"] }],
        },
        {
          at: "nomad_acl_policy.readers",
          instances: [
            {
              attributes: { name: "readers" },
              dependencies: ["nomad_namespace.team", "nomad_node_pool.batch"],
            },
          ],
        },
      ),
    )
  ).files.get("index.ts");
  expect(text).toContain("}, { dependsOn: [teamShopNamespace] });");
  expect(text).toContain("}, { dependsOn: [batchNodePool] });");
});

test("an engine is a mount, its connection and its roles, in this order", async () => {
  const { files } = await migrated(state, { isSelected: (token) => /:(?:Mount|Queue)/.test(token) });
  const text = files.get("index.ts");
  expect(text).toContain('const queueMount = new quarterdeck.secrets.Mount("queue", {');
  expect(text).toContain(`const queueQueueConnection = new quarterdeck.secrets.QueueConnection("queue", {
  mount: queueMount.path,
  connectionUri: config.requireSecret("queue.connectionUri"),
  username: config.requireSecret("queue.username"),
  password: config.requireSecret("queue.password"),
});`);
  expect(text).toContain("}, { dependsOn: [queueQueueConnection] });");
  expect(files.get("report.md")).toContain("- `vault_rabbitmq_secret_backend`: the server never returns");
});

test("an object is not migrated if only a part of it could be", async () => {
  const { imports, skipped, files } = await migrated(state, {
    isSelected: (token) => token !== "secrets:Mount",
  });
  expect(imports.map(({ type }) => type)).not.toContain("secrets:QueueConnection");
  expect(skipped).toContainEqual({
    address: "vault_rabbitmq_secret_backend.queue",
    why: "secrets:Mount is not selected",
  });
  expect(files.get("removed.tf")).not.toContain("vault_rabbitmq_secret_backend.queue");
  expect(files.get("resources.json")).not.toContain("vault_rabbitmq_secret_backend.queue");
});

test("objects that do not exist are skipped", async () => {
  const { skipped, files } = await migrated(rawState(namespaces("lab", "gone")));
  expect(skipped).toEqual([
    {
      address: 'nomad_namespace.team["gone"]',
      why: "scheduler:Namespace gone does not exist on the server",
    },
  ]);
  expect(files.has("removed.tf")).toBe(false);
  expect(files.get("state-rm.sh")).toBe(`#!/bin/sh
set -e
addresses=$(terraform state list)
remove() {
  if printf '%s\\n' "$addresses" | grep -Fqx -e "$1"; then
    terraform state rm "$1"
  else
    echo "already removed: $1"
  fi
}
remove 'nomad_namespace.team["lab"]'
`);
});

test("resources that the stack contains after an earlier migration are in all files except the program", async () => {
  const known = new Map([[objectKey("scheduler:Namespace", "shop"), "earlier"]]);
  const { skipped, files, inStack } = await migrated(rawState(namespaces("shop", "lab")), { known });
  expect([skipped, inStack]).toEqual([[], 1]);
  expect(files.get("index.ts")).not.toContain("shop");
  expect(files.get("removed.tf")).toContain("from = nomad_namespace.team\n");
  expect(files.get("import.tf")).toContain('id = "shop"');
  expect(JSON.parse(files.get("resources.json") ?? "")).toMatchObject([
    { name: "earlier" },
    { name: "team-lab" },
  ]);
  expect(files.get("report.md")).toContain("Resources: 2 (already in the stack: 1).");
  known.set(objectKey("scheduler:Namespace", "lab"), "team-lab");
  const again = await migrated(rawState(namespaces("shop", "lab")), { known });
  expect([...again.files.keys()].sort()).toEqual(["import.tf", "removed.tf", "report.md", "resources.json"]);
  expect(again.files.get("report.md")).not.toContain("index.ts");
});

test("a block removes all instances of a resource; OpenTofu before 1.10 has a form of its own", async () => {
  const both = namespaces("shop", "lab");
  const { files } = await migrated(rawState(both));
  const withLifecycle = `removed {
  from = nomad_namespace.team

  lifecycle {
    destroy = false
  }
}
`;
  expect(files.get("removed.tf")).toBe(withLifecycle);
  expect(files.has("state-rm.sh")).toBe(false);
  const tofu = rawState({ ...both, registry: "registry.opentofu.org" });
  const removedBy = async (version: string) =>
    (await migrated(tofu.replace("1.11.4", version))).files.get("removed.tf");
  expect(await removedBy("1.12.0")).toBe(withLifecycle);
  expect(await removedBy("1.10.0")).toBe(withLifecycle);
  expect(await removedBy("1.9.4")).toBe("removed {\n  from = nomad_namespace.team\n}\n");
});

test("an import file has the same names and IDs as the program", async () => {
  const { files } = await migrated(state, { hasProgram: false });
  const { resources } = JSON.parse(files.get("import.json") ?? "");
  expect(resources).toContainEqual({
    type: "quarterdeck:scheduler:Variable",
    name: "settings-shop",
    id: "shop/app%2Fsettings",
  });
  expect(files.has("index.ts")).toBe(false);
  const report = files.get("report.md");
  expect(report).toContain("pulumi import --file migration/import.json");
  expect(report).toContain('set `items` of the resource "settings-shop" to its current value');
});

test("a type without adoption is migrated by an import file only, and an object that no server returns by a program only", async () => {
  const data = { type: "ssh-keys", attributes: { name: "release", value: "canary-key" } };
  const made = await consoleOn(stub)("workspaces", "POST", "/api/v2/organizations/acme/ssh-keys", { data });
  const key = { attributes: { id: made.body.data.id, organization: null, name: "deploy" } };
  const text = rawState({ at: "tfe_ssh_key.deploy", instances: [key] });
  expect((await migrated(text)).skipped).toEqual([
    {
      address: "tfe_ssh_key.deploy",
      why: "a program cannot adopt workspaces:SshKey: migrate it without --program",
    },
  ]);
  const { imports, files } = await migrated(text, { hasProgram: false });
  expect(imports.map(({ id }) => id)).toEqual([`acme/${made.body.data.id}`]);
  expect([...files.values()].join()).not.toContain("canary-key");
  const { skipped } = await migrated(state, { hasProgram: false });
  expect(skipped).toContainEqual({
    address: "vault_rabbitmq_secret_backend.queue",
    why: "no server returns secrets:QueueConnection: use --program, which writes it again",
  });
});

test("an import block has the connection's organization if the state has none", async () => {
  const { id } = JSON.parse(state).resources[0].instances[0].attributes;
  const team = { id: "team-1", organization: null, name: "core" };
  const { imports } = await migrated(
    rawState({ at: "tfe_project.core", instances: [{ attributes: { ...team, id } }] }),
  );
  const source = terraformState(rawState({ at: "tfe_team.ops", instances: [{ attributes: team }] }));
  const [imported] = imports;
  if (imported === undefined) throw new Error("nothing was imported");
  const [object] = source.objects;
  if (object === undefined) throw new Error("the state is empty");
  const resource = { ...imported, type: "workspaces:Team", id: "acme/team-1", sources: [object] as const };
  expect(importBlocks([resource], source).text).toContain('id = "acme/team-1"');
});

test("a live value that the state marks as sensitive becomes a secret setting", async () => {
  const key = ["app/level", "app/size"].map((path) => ({ path, value: path === "app/size" ? '"info"' : "" }));
  const instance = {
    attributes: { datacenter: "dc1", key: key.slice(1) },
    sensitive_attributes: [
      [
        { type: "get_attr", value: "key" },
        { type: "index", value: { value: 0, type: "number" } },
        { type: "get_attr", value: "value" },
      ],
    ],
  };
  const { files } = await migrated(rawState({ at: "consul_keys.app", instances: [instance] }));
  expect(files.get("index.ts")).toContain('value: config.requireSecret("app-app-size.value"),');
  for (const text of files.values()) expect(text).not.toContain("info");
});

test("a job whose jobspec has a sensitive part becomes a secret setting", async () => {
  const tasks = [
    { Name: "web", Driver: "exec", Env: { PASSWORD: "canary-env", LEVEL: "Bearer canary-env" } },
  ];
  await consoleOn(stub)("scheduler", "POST", "/v1/jobs", {
    Job: { ID: "hidden", TaskGroups: [{ Name: "web", Tasks: tasks }] },
  });
  const job = (attributes: object, ...path: readonly string[]) => ({
    at: "nomad_job.hidden",
    instances: [
      {
        attributes: { id: "hidden", namespace: "default", ...attributes },
        sensitive_attributes: [path.map((value) => ({ type: "get_attr", value }))],
      },
    ],
  });
  const jobspec = 'job "hidden" { group "web" { task "web" { env { PASSWORD = "canary-env" } } } }';
  const vars = { password: "canary-env" };
  const json = JSON.stringify({
    Job: { ID: "hidden", Namespace: "default", Meta: { password: "canary-env" } },
  });
  for (const resource of [
    job({ jobspec }, "jobspec"),
    job({ jobspec: json }, "jobspec"),
    job({ jobspec: "x", hcl2: [{ vars }] }, "hcl2"),
  ]) {
    const { files, settings } = await migrated(rawState(resource));
    expect(files.get("index.ts")).toContain('json: config.requireSecret("hidden.json")');
    expect(settings).toMatchObject([{ name: "hidden.json", type: "text" }]);
    expect(files.get("report.md")).toContain("nomad job inspect");
    for (const text of files.values()) expect(text).not.toContain("canary");
  }
});

test("names are unique per type", async () => {
  const policy = (module: string, key: string, id: string): StateResource => ({
    at: `module.m.nomad_namespace.${id}`,
    module,
    instances: [{ index_key: key, attributes: { id: key, name: key } }],
  });
  const { imports } = await migrated(
    rawState(policy('module.m["a/b"]', "shop", "n"), policy('module.m["a-b"]', "lab", "n_shop")),
  );
  expect(imports.map(({ label }) => label)).toEqual(["m-a-b-n-shop", "m-a-b-n_shop-lab"]);
  const twice = await migrated(
    rawState(policy('module.m["a/b"]', "shop", "n"), policy('module.m["a-b"]', "shop", "n"), {
      ...namespaces("lab"),
      at: "nomad_namespace.n",
    }),
  );
  expect(twice.imports.map(({ label }) => label)).toEqual(["m-a-b-n-shop", "n-lab"]);
});

test("resources of another stack imported with their names", async () => {
  const urn = (type: string, name: string) => `urn:pulumi:dev::old::${type}::${name}`;
  const space = urn("nomad:index/namespace:Namespace", "team");
  const provider = `${urn("pulumi:providers:nomad", "default_2_4_0")}::1c2d`;
  const resource = (type: string, name: string, more: object) => ({
    urn: urn(type, name),
    type,
    custom: true,
    provider,
    ...more,
  });
  const secret = (value: unknown) => ({ [MARK]: SECRET, plaintext: JSON.stringify(value) });
  const text = JSON.stringify({
    version: 3,
    deployment: {
      resources: [
        resource("nomad:index/namespace:Namespace", "team", { id: "shop", outputs: { name: "shop" } }),
        resource("nomad:index/variable:Variable", "settings", {
          id: "app/settings@shop",
          outputs: {
            namespace: "shop",
            path: "app/settings",
            items: secret({ key: "canary-items" }),
          },
          propertyDependencies: { namespace: [space] },
        }),
        resource("consul:index/keys:Keys", "keys", {
          id: "consul",
          outputs: { datacenter: "dc1", keys: secret([{ path: "app/size", value: '"info"' }]) },
        }),
        resource("random:index/randomId:RandomId", "r", { id: "x" }),
      ],
    },
  });
  const { files, skipped } = await migrated(text);
  expect(skipped).toEqual([]);
  expect(files.get("index.ts")).toContain(`new quarterdeck.scheduler.Variable("settings", {
  adopt: true,
  path: "app/settings",
  namespace: teamNamespace.name,`);
  expect(files.get("index.ts")).toContain('value: config.requireSecret("keys-app-size.value"),');
  for (const one of files.values()) expect(one).not.toMatch(/canary|info/);
  expect(files.get("state-delete.sh")).toBe(`#!/bin/sh
set -e
pulumi state delete --yes '${urn("consul:index/keys:Keys", "keys")}'
pulumi state delete --yes '${urn("nomad:index/variable:Variable", "settings")}'
pulumi state delete --yes '${space}'
`);
  expect(files.get("report.md")).toContain("retainOnDelete");
  expect(files.has("removed.tf") || files.has("import.tf")).toBe(false);
});

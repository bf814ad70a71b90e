import type { Ask } from "../../stack/console";
import { rawState, type StateInstance, type StateResource } from "./states";

/** Secrets of the objects. No file and no message of a migration contains one. */
export const CANARIES = {
  variable: "canary-variable",
  items: "canary-items",
  kv: "canary-kv",
  user: "canary-user",
  broker: "canary-broker",
} as const;

const HCP = "/api/v2/organizations/acme";

/** Objects of all four services as Terraform creates them, and the state that it stores for them: 60 instances. */
export async function terraformObjects(ask: Ask): Promise<string> {
  return rawState(
    ...(await workspaceObjects(ask)),
    ...(await schedulerObjects(ask)),
    ...(await secretsObjects(ask)),
    ...(await meshObjects(ask)),
  );
}

type Resources = readonly StateResource[];

/** An instance for each key. */
const each = async <K extends string | number>(
  keys: readonly K[],
  make: (key: K) => Promise<Omit<StateInstance, "index_key">>,
): Promise<StateInstance[]> => {
  const instances: StateInstance[] = [];
  for (const key of keys) instances.push({ index_key: key, ...(await make(key)) });
  return instances;
};

async function workspaceObjects(ask: Ask): Promise<Resources> {
  const create = async (path: string, type: string, attributes: object, relationships = {}) => {
    const { body } = await ask("workspaces", "POST", path, { data: { type, attributes, relationships } });
    return body.data.id as string;
  };
  const project = await create(`${HCP}/projects`, "projects", { name: "core" });
  const pool = await create(`${HCP}/agent-pools`, "agent-pools", {
    name: "builders",
    "organization-scoped": true,
  });
  const set = await create(`${HCP}/varsets`, "varsets", { name: "shared", description: "", global: false });
  const names = ["web", "api", "db"];
  const ids: Record<string, string> = {};
  const inProject = { project: { data: { type: "projects", id: project } } };
  for (const name of names) ids[name] = await create(`${HCP}/workspaces`, "workspaces", { name }, inProject);
  const organization = "acme";
  const level = (key: string, sensitive: boolean, value: string) => ({
    key,
    value,
    sensitive,
    category: "env",
  });
  const variable = async (name: string, key: string, sensitive: boolean, value: string) => {
    const path = `/api/v2/workspaces/${ids[name]}/vars`;
    const id = await create(path, "vars", level(key, sensitive, value));
    return {
      attributes: { id, workspace_id: ids[name], variable_set_id: null, key, value, sensitive },
      dependencies: ["tfe_project.core", "tfe_workspace.app"],
    };
  };
  const shared = await create(
    `/api/v2/varsets/${set}/relationships/vars`,
    "vars",
    level("REGION", false, "eu"),
  );
  return [
    {
      at: "tfe_project.core",
      instances: [{ attributes: { id: project, organization, name: "core" } }],
    },
    {
      at: "tfe_agent_pool.builders",
      instances: [{ attributes: { id: pool, organization, name: "builders" } }],
    },
    {
      at: "tfe_workspace.app",
      instances: await each(names, async (name) => ({
        attributes: { id: ids[name], organization, name, project_id: project, remote_state_consumer_ids: [] },
        dependencies: ["tfe_project.core"],
      })),
    },
    {
      at: "tfe_workspace_settings.app",
      instances: await each(names, async (name) => ({
        attributes: { id: ids[name], workspace_id: ids[name], execution_mode: "remote" },
        dependencies: ["tfe_project.core", "tfe_workspace.app"],
      })),
    },
    {
      at: "tfe_variable.level",
      instances: await each(names, (name) => variable(name, "LEVEL", false, "info")),
    },
    {
      at: "tfe_variable.token",
      instances: await each(names, (name) => variable(name, "TOKEN", true, CANARIES.variable)),
    },
    { at: "tfe_variable_set.shared", instances: [{ attributes: { id: set, organization, name: "shared" } }] },
    {
      at: "tfe_variable.region",
      instances: [
        { attributes: { id: shared, variable_set_id: set }, dependencies: ["tfe_variable_set.shared"] },
      ],
    },
    { at: "tfe_organization.acme", instances: [{ attributes: { id: organization } }] },
  ];
}

async function schedulerObjects(ask: Ask): Promise<Resources> {
  const put = (path: string, body: object) => ask("scheduler", "PUT", `/v1/${path}`, body);
  const namespaces = ["shop", "lab"];
  const tasks = [{ Name: "server", Driver: "docker" }];
  for (const Name of namespaces) await put("namespace", { Name, Description: "for teams" });
  await put("node/pool/batch", { Name: "batch", Description: "nightly" });
  await put("acl/policy/readers", { Name: "readers", Rules: 'namespace "*" { policy = "read" }' });
  const jobs = async (namespace: string) =>
    each([0, 1, 2], async (index) => {
      const id = `web-${index}`;
      await put("jobs", {
        Job: { ID: id, Namespace: namespace, TaskGroups: [{ Name: "front", Tasks: tasks }] },
      });
      return {
        attributes: { id, name: id, namespace, region: "global" },
        dependencies: ["nomad_namespace.team"],
      };
    });
  return [
    {
      at: "nomad_namespace.team",
      instances: await each(namespaces, async (name) => ({ attributes: { id: name, name } })),
    },
    { at: "nomad_node_pool.batch", instances: [{ attributes: { id: "batch", name: "batch" } }] },
    { at: "nomad_acl_policy.readers", instances: [{ attributes: { id: "readers", name: "readers" } }] },
    {
      at: "nomad_variable.settings",
      instances: await each(namespaces, async (namespace) => {
        await put(`var/app/settings?namespace=${namespace}`, {
          Namespace: namespace,
          Path: "app/settings",
          Items: { key: CANARIES.items },
        });
        return {
          attributes: {
            id: `app/settings@${namespace}`,
            path: "app/settings",
            namespace,
            items: { key: CANARIES.items },
          },
          dependencies: ["nomad_namespace.team"],
        };
      }),
    },
    ...(await Promise.all(
      namespaces.map(async (namespace) => ({
        at: "module.service.nomad_job.web",
        module: `module.service["${namespace}"]`,
        instances: await jobs(namespace),
      })),
    )),
    { at: "nomad_quota_specification.all", instances: [{ attributes: { id: "all" } }] },
    { at: "nomad_namespace.old", instances: [{ status: "tainted", attributes: { id: "old", name: "old" } }] },
  ];
}

async function secretsObjects(ask: Ask): Promise<Resources> {
  const post = (path: string, body: object) => ask("secrets", "POST", `/v1/${path}`, body);
  const accessor = async (path: string) =>
    (await ask("secrets", "GET", `/v1/sys/${path}`)).body.data.accessor;
  await post("sys/mounts/notes", { type: "kv", options: { version: "2" } });
  await post("sys/mounts/queue", { type: "rabbitmq" });
  await post("sys/auth/people", { type: "userpass" });
  await post("queue/config/connection", {
    connection_uri: "http://broker:15672",
    username: "admin",
    password: CANARIES.broker,
  });
  const roles = ["read", "write", "admin"];
  const people = await accessor("auth/people");
  const mounted = ["vault_rabbitmq_secret_backend.queue"];
  const entity = await post("identity/entity", { name: "ann", policies: ["level-read"] });
  const id = entity.body.data.id;
  const alias = await post("identity/entity-alias", {
    name: "ann",
    canonical_id: id,
    mount_accessor: people,
  });
  const group = await post("identity/group", { name: "team", member_entity_ids: [id] });
  return [
    {
      at: "vault_mount.kv",
      instances: [{ attributes: { id: "notes", path: "notes", accessor: await accessor("mounts/notes") } }],
    },
    {
      at: "vault_auth_backend.people",
      instances: [{ attributes: { id: "people", path: "people", accessor: people } }],
    },
    {
      at: "vault_policy.level",
      instances: await each(roles, async (key) => {
        const name = `level-${key}`;
        await post(`sys/policies/acl/${name}`, { policy: `path "kv/*" { capabilities = ["read"] }` });
        return { attributes: { id: name, name } };
      }),
    },
    {
      at: "vault_kv_secret_v2.app",
      instances: await each(["a", "b", "c"], async (name) => {
        await post(`notes/data/${name}`, { data: { password: CANARIES.kv } });
        const attributes = {
          id: `notes/data/${name}`,
          mount: "notes",
          name,
          data: { password: CANARIES.kv },
        };
        return { attributes, dependencies: ["vault_mount.kv"] };
      }),
    },
    {
      at: "vault_generic_endpoint.person",
      instances: await each(["ann", "bob"], async (name) => {
        const body = { password: CANARIES.user, token_policies: ["level-read"] };
        await post(`auth/people/users/${name}`, body);
        const path = `auth/people/users/${name}`;
        const attributes = { id: path, path, data_json: JSON.stringify(body) };
        return { attributes, dependencies: ["vault_auth_backend.people", "vault_policy.level"] };
      }),
    },
    {
      at: "vault_rabbitmq_secret_backend.queue",
      instances: [
        { attributes: { id: "queue", path: "queue", username: "admin", password: CANARIES.broker } },
      ],
    },
    {
      at: "vault_rabbitmq_secret_backend_role.role",
      instances: await each(roles, async (name) => {
        await post(`queue/roles/${name}`, { tags: "monitoring" });
        return { attributes: { id: `queue/roles/${name}`, backend: "queue", name }, dependencies: mounted };
      }),
    },
    {
      at: "vault_identity_entity.ann",
      instances: [{ attributes: { id, name: "ann" }, dependencies: ["vault_policy.level"] }],
    },
    {
      at: "vault_identity_entity_alias.ann",
      instances: [
        {
          attributes: { id: alias.body.data.id, name: "ann", canonical_id: id, mount_accessor: people },
          dependencies: ["vault_auth_backend.people", "vault_identity_entity.ann", "vault_policy.level"],
        },
      ],
    },
    {
      at: "vault_identity_group.team",
      instances: [
        {
          attributes: { id: group.body.data.id, name: "team" },
          dependencies: ["vault_identity_entity.ann", "vault_policy.level"],
        },
      ],
    },
  ];
}

async function meshObjects(ask: Ask): Promise<Resources> {
  const services = ["web", "api", "db"];
  for (const path of ["app/level", "app/size"]) await ask("mesh", "PUT", `/v1/kv/${path}`, "info");
  const policy = await ask("mesh", "PUT", "/v1/acl/policy", {
    Name: "readers",
    Rules: 'service "web" { policy = "read" }',
  });
  const key = ["app/level", "app/size"].map((path) => ({ path, value: "info", delete: true }));
  return [
    {
      at: "consul_config_entry.defaults",
      alias: "second",
      instances: await each(services, async (name) => {
        await ask("mesh", "PUT", "/v1/config", { Kind: "service-defaults", Name: name, Protocol: "http" });
        return { attributes: { id: `service-defaults-${name}`, kind: "service-defaults", name } };
      }),
    },
    { at: "consul_keys.app", instances: [{ attributes: { id: "consul", datacenter: "dc1", key } }] },
    {
      at: "consul_acl_policy.readers",
      instances: [{ attributes: { id: policy.body.ID, name: "readers" } }],
    },
  ];
}

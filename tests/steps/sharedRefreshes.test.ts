import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { carryingList } from "../../provider/core/requests/shared/inList";
import { Snapshots } from "../../provider/core/requests/shared/snapshots";
import { formatRecords, RECORDS } from "../../provider/core/state/records";
import configEntry from "../../provider/services/mesh/configEntry";
import job from "../../provider/services/scheduler/job";
import loginEnforcement from "../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import queueRole from "../../provider/services/secrets/queueRole";
import registryProvider from "../../provider/services/workspaces/registryProvider";
import workspace from "../../provider/services/workspaces/workspace";
import workspaceLock from "../../provider/services/workspaces/workspaceLock";
import { BY_LIST } from "./byList";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import type { World } from "./world";

const TASK = { Name: "server", Driver: "docker", Config: { image: "web:1" } };

/** A program of each type, by its number. */
const programs = new Map<AnyDefinition, (n: number) => Values>([
  [workspace, (n) => ({ name: `app-${n}`, description: `number ${n}` })],
  [registryProvider, (n) => ({ registryName: "private", name: `app-${n}` })],
  [job, (n) => ({ json: { ID: `app-${n}`, TaskGroups: [{ Name: "web", Tasks: [TASK] }] }, purge: true })],
  [mfaMethod, (n) => ({ methodName: `app-${n}`, orgName: "acme", apiToken: "hush" })],
  [configEntry, (n) => ({ kind: "service-defaults", name: `app-${n}`, spec: { Protocol: "http" } })],
  [queueRole, (n) => ({ name: `app-${n}`, tags: "monitoring" })],
]);

async function worldOf(definition: AnyDefinition): Promise<World> {
  const subject = subjects.find(([token]) => token === definition.token)?.[1];
  if (subject === undefined) throw new Error(`there is no subject for ${definition.token}`);
  return subject.world();
}

/** A number of new resources of one type, and their mock server. */
async function createResources(definition: AnyDefinition, count: number) {
  const world = await worldOf(definition);
  const resources: Resource[] = [];
  for (let n = 0; n < count; n++) {
    const resource = new Resource(world, definition);
    await resource.create(programs.get(definition)?.(n) ?? {});
    resources.push(resource);
  }
  return { world, resources };
}

/** One refresh of a stack: up to eight reads at a time, which share their snapshots. */
async function refreshAll(world: World, resources: readonly Resource[]): Promise<HttpRequest[]> {
  const snapshots = new Snapshots(() => world.now);
  world.requests.length = 0;
  const left = [...resources];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      next.snapshots = snapshots;
      await next.refresh();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return [...world.requests];
}

test("the types that can be read from lists are exactly these", () => {
  const tokens = subjects
    .filter(([, { definition, isVariant }]) => carryingList(definition.life.reads) && !isVariant)
    .map(([token]) => token);
  expect(tokens.sort()).toEqual([
    "mesh:ConfigEntry",
    "scheduler:Job",
    "scheduler:Namespace",
    "scheduler:NodePool",
    "scheduler:Variable",
    "secrets:AuthMethod",
    "secrets:LoginEnforcement",
    "secrets:MfaMethod",
    "secrets:Mount",
    "secrets:Namespace",
    "workspaces:AgentPool",
    "workspaces:GpgKey",
    "workspaces:OauthClient",
    "workspaces:Project",
    "workspaces:RegistryProvider",
    "workspaces:RemoteStateConsumers",
    "workspaces:SshKey",
    "workspaces:Team",
    "workspaces:VariableSet",
    "workspaces:Workspace",
    "workspaces:WorkspaceLock",
    "workspaces:WorkspaceSshKey",
  ]);
});

describe("a refresh of many resources", () => {
  test.each([
    ["workspaces", workspace, 230, 1 + 3],
    ["registry providers", registryProvider, 120, 1 + 2],
    ["jobs", job, 120, 2],
    ["MFA methods", mfaMethod, 60, 2],
    ["configuration entries", configEntry, 60, 2],
    ["RabbitMQ roles, whose list contains only names", queueRole, 20, 20],
  ] as const)("sends the minimum number of reads for %s", async (_, definition, count, requests) => {
    const { world, resources } = await createResources(definition, count);
    expect(await refreshAll(world, resources)).toHaveLength(requests);
    expect(world.logged).toEqual([]);
  });

  test("sends one single read and one list for login enforcements", async () => {
    const { world, resources } = await createResources(mfaMethod, 1);
    const enforcements: Resource[] = [];
    for (let n = 0; n < 30; n++) {
      const enforcement = new Resource(world, loginEnforcement);
      await enforcement.create({
        name: `app-${n}`,
        mfaMethodIds: [resources[0]?.id ?? ""],
        authMethodTypes: ["userpass"],
      });
      enforcements.push(enforcement);
    }
    expect(await refreshAll(world, enforcements)).toHaveLength(2);
  });

  test("sends one single read and one list for workspaces and the locks on them", async () => {
    const { world, resources } = await createResources(workspace, 30);
    const locks: Resource[] = [];
    for (const { id } of resources) {
      const lock = new Resource(world, workspaceLock);
      await lock.create({ workspaceId: id });
      locks.push(lock);
    }
    // A lock changes no property that a workspace resource records.
    expect(await refreshAll(world, [...resources, ...locks])).toHaveLength(2);
  });

  test("finds a deleted lock if the server does not return who holds the locks", async () => {
    const { world, resources } = await createResources(workspace, 2);
    // A server that returns only whether a workspace is locked.
    world.onResponse = (_, { json }) => {
      const { data } = json as { data?: object | readonly object[] };
      for (const one of [data ?? []].flat() as { attributes?: object; relationships?: object }[]) {
        Object.assign(one.relationships ?? {}, { "locked-by": undefined });
        Object.assign(one.attributes ?? {}, { "locked-reason": undefined });
      }
    };
    const locks: Resource[] = [];
    for (const { id } of resources) {
      const lock = new Resource(world, workspaceLock);
      await lock.create({ workspaceId: id });
      await lock.refresh();
      locks.push(lock);
    }
    const path = `/api/v2/workspaces/${resources[1]?.id}/actions/force-unlock`;
    const unlocked = await world.send("POST", path, undefined, {
      authorization: "Bearer owner",
      "content-type": "application/vnd.api+json",
    });
    expect(unlocked.status).toBe(200);
    expect(await Promise.all(locks.map((lock) => lock.refresh(BY_LIST)))).toEqual([true, false]);
  });

  test("reports each entry that someone else changed, with one additional read for each", async () => {
    const { world, resources } = await createResources(configEntry, 60);
    for (let n = 0; n < 60; n += 6) {
      const entry = { Kind: "service-defaults", Name: `app-${n}`, Protocol: "grpc" };
      const answer = await world.send("PUT", "/v1/config", entry, { "x-mesh-token": "manager" });
      expect(answer.status).toBe(200);
    }
    const requests = await refreshAll(world, resources);
    expect(requests.length).toBeGreaterThanOrEqual(2 + 9);
    expect(requests.length).toBeLessThanOrEqual(2 + 10);
    const drifted = resources.filter(({ inputs }) => JSON.stringify(inputs.spec).includes("grpc"));
    expect(drifted).toHaveLength(10);
    expect(world.logged).toHaveLength(10);
  });

  test("reads each object by itself if the list is rejected, and logs no message", async () => {
    for (const status of [401, 403, 404, 405]) {
      const { world, resources } = await createResources(workspace, 20);
      world.fate = ({ path }) =>
        path.endsWith("/organizations/acme/workspaces")
          ? { answer: { status, text: '{"errors":[{"title":"no"}]}' }, isCarriedOut: false }
          : "passes";
      expect(await refreshAll(world, resources)).toHaveLength(20 + 1);
      expect(world.logged).toEqual([]);
    }
  });

  test("reads each object by itself if the list contains only names", async () => {
    const { world, resources } = await createResources(mfaMethod, 10);
    const keys = resources.map(({ id }) => id);
    world.fate = ({ query }) =>
      query?.list === "true"
        ? { answer: { status: 200, text: JSON.stringify({ data: { keys } }) }, isCarriedOut: false }
        : "passes";
    expect(await refreshAll(world, resources)).toHaveLength(10 + 1);
  });

  test("reads each object by itself if the list is filtered by the token's permissions", async () => {
    const { world, resources } = await createResources(configEntry, 10);
    const { filtered = "" } = world.connection.dialect.headers;
    expect(filtered).toMatch(/-Results-Filtered-By-ACLs$/);
    world.onResponse = ({ path }, answer) => {
      if (path.endsWith("/service-defaults"))
        Object.assign(answer.headers, { [filtered.toLowerCase()]: "true" });
    };
    expect(await refreshAll(world, resources)).toHaveLength(10 + 1);
    expect(world.logged).toEqual([]);
  });

  test("reads each partially created object by itself", async () => {
    const { world, resources } = await createResources(configEntry, 6);
    for (const resource of resources) {
      const records = {
        ...resource.record,
        pending: { kind: "incomplete" as const, reason: "it was killed" },
      };
      resource.outputs = { ...resource.outputs, [RECORDS]: formatRecords(records) };
    }
    const requests = await refreshAll(world, resources);
    expect(requests.map(({ path }) => path.split("/").at(-1))).toEqual(resources.map((_, n) => `app-${n}`));
  });

  test("reads each job by itself if its index is the same but its submit time differs (rebuilt cluster)", async () => {
    const { world, resources } = await createResources(job, 10);
    world.onResponse = ({ path }, answer) => {
      if (!path.endsWith("/jobs") || !Array.isArray(answer.json)) return;
      for (const stub of answer.json) Object.assign(stub ?? {}, { SubmitTime: 1 });
    };
    expect(await refreshAll(world, resources)).toHaveLength(10 + 1);
  });

  test("does not use a list that is older than our own write", async () => {
    const { world, resources } = await createResources(configEntry, 4);
    const snapshots = new Snapshots(() => world.now);
    for (const resource of resources) resource.snapshots = snapshots;
    const [first, second, third, fourth] = resources;
    await first?.refresh();
    await second?.refresh();
    await third?.update({ kind: "service-defaults", name: "app-2", spec: { Protocol: "tcp" } });
    world.requests.length = 0;
    await third?.refresh();
    await fourth?.refresh();
    // A single read after the write, and a new list for the next resource.
    expect(world.requests.map(({ path }) => path.split("/").at(-1))).toEqual(["app-2", "service-defaults"]);
  });

  test("can miss an edit because of a recent snapshot, and the next update then finds the conflict", async () => {
    const { world, resources } = await createResources(workspace, 3);
    const snapshots = new Snapshots(() => world.now);
    for (const resource of resources) resource.snapshots = snapshots;
    const [first, second, third] = resources;
    await first?.refresh();
    await second?.refresh();
    const edit = { data: { type: "workspaces", attributes: { description: "someone else's" } } };
    const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
    const answer = await world.send("PATCH", `/api/v2/workspaces/${third?.id}`, edit, headers);
    expect(answer.status).toBe(200);
    await third?.refresh();
    expect(third?.inputs.description).toBe("number 2");
    await expect(third?.update({ name: "app-2", description: "ours" })).rejects.toThrow(/someone else's/);
  });
});

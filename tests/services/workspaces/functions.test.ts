import { callFunction, iterateFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import functions from "../../../provider/services/workspaces/functions";
import workspace from "../../../provider/services/workspaces/workspace";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { World } from "../../steps/world";

const OWNER = { tokens: { olga: { user: "olga", organizations: { acme: ["owners"] } } } };
const ORGANIZATION = { organizations: { acme: {} } };
const headers = { authorization: "Bearer olga", "content-type": "application/vnd.api+json" };

function acme(seed: object = {}): World {
  const service = new WorkspacesService({
    switches: { dialect: "neutral" },
    seed: { ...OWNER, ...ORGANIZATION, ...seed },
  });
  return new World(service, workspace, { token: "olga", organization: "acme" });
}

function many(count: number) {
  return Array.from({ length: count }, (_, number) => ({
    organization: "acme",
    name: `app-${String(number).padStart(4, "0")}`,
  }));
}

async function call(world: World, definition: FunctionDefinition, args: Values): Promise<Values> {
  const { connection } = world;
  return (await callFunction(definition, args, { connection, log: () => undefined })).result;
}

async function idOf(world: World, name: string): Promise<string> {
  const { json } = await world.send(
    "GET",
    `/api/v2/organizations/acme/workspaces/${name}`,
    undefined,
    headers,
  );
  // The stub returns a JSON:API document.
  return (json as { data: { id: string } }).data.id;
}

const namesIn = (list: Json | undefined) => (list as { name: string }[]).map(({ name }) => name);

describe("getWorkspace", () => {
  test("reads by name in the connection's organization, and by ID", async () => {
    const world = acme({
      workspaces: [{ organization: "acme", name: "app", attributes: { description: "ours" } }],
    });
    const byName = await call(world, functions.getWorkspace, { name: "app" });
    expect(byName).toMatchObject({
      organization: "acme",
      name: "app",
      description: "ours",
      autoApply: false,
    });
    const workspaceId = await idOf(world, "app");
    expect(byName.workspaceId).toBe(workspaceId);
    expect(byName.id).toBe(workspaceId);
    expect(await call(world, functions.getWorkspace, { workspaceId })).toEqual(byName);
  });

  test("fails for a workspace that does not exist, and names it", async () => {
    await expect(call(acme(), functions.getWorkspace, { name: "none" })).rejects.toThrow(
      /none.*does not exist/,
    );
  });

  test.each<[string, Values]>([
    ["neither an ID nor a name", {}],
    ["both an ID and a name", { workspaceId: "ws-1", name: "app" }],
  ])("rejects a call with %s, without sending a request", async (_, args) => {
    const world = acme();
    await expect(call(world, functions.getWorkspace, args)).rejects.toThrow(
      "exactly one of workspaceId and name",
    );
    expect(world.requests).toEqual([]);
  });

  test("suggests the correct name for a misspelled argument", async () => {
    await expect(call(acme(), functions.getWorkspace, { nmae: "app" })).rejects.toThrow("did you mean name?");
  });
});

describe("getWorkspaces", () => {
  test("returns each of 1,000 workspaces once, from ten pages", async () => {
    const world = acme({ workspaces: many(1000) });
    const { workspaces } = await call(world, functions.getWorkspaces, {});
    expect(new Set(namesIn(workspaces)).size).toBe(1000);
    expect(namesIn(workspaces)).toHaveLength(1000);
    expect(world.requests).toHaveLength(10);
  });

  test("stops fetching pages once the limit is reached", async () => {
    const world = acme({ workspaces: many(250) });
    const { workspaces } = await call(world, functions.getWorkspaces, { limit: 100 });
    expect(namesIn(workspaces)).toHaveLength(100);
    expect(world.requests).toHaveLength(1);
  });

  test("yields one workspace at a time and fetches a page only when its first element is requested", async () => {
    const world = acme({ workspaces: many(250) });
    const { connection } = world;
    const all = iterateFunction(functions.getWorkspaces, {}, { connection, log: () => undefined });
    expect(world.requests).toHaveLength(0);
    for (let number = 0; number < 100; number++) await all.next();
    expect(world.requests).toHaveLength(1);
    await all.next();
    expect(world.requests).toHaveLength(2);
    await all.return();
    expect(world.requests).toHaveLength(2);
  });

  test("filters by search, tags and excludeTags, and sorts by name", async () => {
    const world = acme({ workspaces: many(3) });
    for (const [name, tag] of [
      ["app-0000", "prod"],
      ["app-0001", "test"],
    ] as const) {
      await world.send(
        "POST",
        `/api/v2/workspaces/${await idOf(world, name)}/relationships/tags`,
        { data: [{ type: "tags", attributes: { name: tag } }] },
        headers,
      );
    }
    const find = async (args: Values) =>
      namesIn((await call(world, functions.getWorkspaces, args)).workspaces);
    expect(await find({ search: "0002" })).toEqual(["app-0002"]);
    expect(await find({ tags: ["prod"] })).toEqual(["app-0000"]);
    expect(await find({ excludeTags: ["prod", "test"] })).toEqual(["app-0002"]);
    expect(await find({ sort: "-name" })).toEqual(["app-0002", "app-0001", "app-0000"]);
  });

  test("sends excludeTags to a real server as search[exclude-tags]", async () => {
    const world = acme({ workspaces: many(1) }).with({ dialect: "real" });
    await call(world, functions.getWorkspaces, { excludeTags: ["prod"] });
    expect(world.requests[0]?.query).toHaveProperty(["search[exclude-tags]"], "prod");
  });

  test("fails if neither the arguments nor the connection set an organization", async () => {
    const world = acme().with({ organization: undefined as unknown as Json });
    await expect(call(world, functions.getWorkspaces, {})).rejects.toThrow("organization: is missing");
  });
});

describe("getRemoteStateConsumers", () => {
  test("returns all 105 consumers of a workspace from two pages", async () => {
    const world = acme({ workspaces: many(106) });
    const workspaceId = await idOf(world, "app-0000");
    const { workspaces } = await call(world, functions.getWorkspaces, {});
    const others = (workspaces as { workspaceId: string }[]).filter((one) => one.workspaceId !== workspaceId);
    await world.send(
      "POST",
      `/api/v2/workspaces/${workspaceId}/relationships/remote-state-consumers`,
      { data: others.map(({ workspaceId: id }) => ({ type: "workspaces", id })) },
      headers,
    );
    const before = world.requests.length;
    const { consumers } = await call(world, functions.getRemoteStateConsumers, { workspaceId });
    expect(namesIn(consumers)).toHaveLength(105);
    expect(world.requests.length - before).toBe(2);
  });
});

test("getWorkspaceTags returns a workspace's flat tags as the server stores them", async () => {
  const world = acme({ workspaces: many(1) });
  const workspaceId = await idOf(world, "app-0000");
  await world.send(
    "POST",
    `/api/v2/workspaces/${workspaceId}/relationships/tags`,
    { data: [{ type: "tags", attributes: { name: "Prod" } }] },
    headers,
  );
  const { tags } = await call(world, functions.getWorkspaceTags, { workspaceId });
  expect(namesIn(tags)).toEqual(["prod"]);
});

describe("getPublicRegistry", () => {
  const PROVIDERS = { publicProviders: { "hashicorp/random": ["3.5.0", "3.6.0"] } };

  test("finds the registry in the discovery document and returns a provider's versions", async () => {
    const world = acme(PROVIDERS);
    const args = { namespace: "hashicorp", name: "random" };
    expect(await call(world, functions.getPublicRegistry, args)).toEqual({
      ...args,
      prefix: "/api/registry/public/v1/providers/",
      versions: ["3.5.0", "3.6.0"],
    });
    expect(world.requests.map(({ path }) => path)).toEqual([
      "/.well-known/engine.json",
      "/api/registry/public/v1/providers/hashicorp/random/versions",
    ]);
  });

  test("fails with HTTP 401 if the token is invalid", async () => {
    const world = acme(PROVIDERS).with({ token: "nobody" });
    const args = { namespace: "hashicorp", name: "random" };
    await expect(call(world, functions.getPublicRegistry, args)).rejects.toThrow(/returned 401/);
  });

  test("requests terraform.json as the discovery document from a real server", async () => {
    const world = acme(PROVIDERS).with({ dialect: "real" });
    await call(world, functions.getPublicRegistry, { namespace: "hashicorp", name: "random" });
    expect(world.requests[0]?.path).toBe("/.well-known/terraform.json");
  });
});

describe("registry providers of an organization", () => {
  const seeded = () =>
    acme({
      registryProviders: [
        { organization: "acme", registryName: "private", namespace: "acme", name: "platform" },
        { organization: "acme", registryName: "public", namespace: "hashicorp", name: "random" },
        { organization: "acme", registryName: "public", namespace: "hashicorp", name: "time" },
      ],
    });
  const providerNames = async (args: Values) =>
    namesIn((await call(seeded(), functions.getRegistryProviders, args)).providers);

  test("getRegistryProviders lists all providers and applies q, registryName, organizationName and limit", async () => {
    expect((await providerNames({})).sort()).toEqual(["platform", "random", "time"]);
    expect(await providerNames({ q: "rand" })).toEqual(["random"]);
    expect(await providerNames({ registryName: "private" })).toEqual(["platform"]);
    expect(await providerNames({ organizationName: "other" })).toEqual([]);
    expect(await providerNames({ limit: 1 })).toHaveLength(1);
  });

  test("getRegistryProvider finds a private provider without a namespace argument", async () => {
    const args = { registryName: "private", name: "platform" };
    expect(await call(seeded(), functions.getRegistryProvider, args)).toMatchObject({
      ...args,
      id: "acme/private/acme/platform",
      namespace: "acme",
      organization: "acme",
      providerId: expect.stringMatching(/^prov-/),
    });
  });
});

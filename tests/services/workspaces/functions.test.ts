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
  // The stub answers a JSON:API document.
  return (json as { data: { id: string } }).data.id;
}

const namesIn = (list: Json | undefined) => (list as { name: string }[]).map(({ name }) => name);

describe("getWorkspace", () => {
  test("reads by organization and name, the organization being the connection's, and by id", async () => {
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

  test("of one that is not there says which, and on what evidence", async () => {
    await expect(call(acme(), functions.getWorkspace, { name: "none" })).rejects.toThrow(
      /none.*does not exist/,
    );
  });

  test.each<[string, Values]>([
    ["neither an id nor a name", {}],
    ["both", { workspaceId: "ws-1", name: "app" }],
  ])("refuses %s before anything is sent", async (_, args) => {
    const world = acme();
    await expect(call(world, functions.getWorkspace, args)).rejects.toThrow("exactly one of the two");
    expect(world.requests).toEqual([]);
  });

  test("names a misspelt argument", async () => {
    await expect(call(acme(), functions.getWorkspace, { nmae: "app" })).rejects.toThrow("did you mean name?");
  });
});

describe("getWorkspaces", () => {
  test("answers every page of 1,000 workspaces, each once", async () => {
    const world = acme({ workspaces: many(1000) });
    const { workspaces } = await call(world, functions.getWorkspaces, {});
    expect(new Set(namesIn(workspaces)).size).toBe(1000);
    expect(namesIn(workspaces)).toHaveLength(1000);
    expect(world.requests).toHaveLength(10);
  });

  test("fetches no page that its limit does not take", async () => {
    const world = acme({ workspaces: many(250) });
    const { workspaces } = await call(world, functions.getWorkspaces, { limit: 100 });
    expect(namesIn(workspaces)).toHaveLength(100);
    expect(world.requests).toHaveLength(1);
  });

  test("yields one by one, and fetches a page when its first element is asked for", async () => {
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

  test("searches by part of a name, by tags that must be there, and by tags that must not", async () => {
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
    const found = async (args: Values) =>
      namesIn((await call(world, functions.getWorkspaces, args)).workspaces);
    expect(await found({ search: "0002" })).toEqual(["app-0002"]);
    expect(await found({ tags: ["prod"] })).toEqual(["app-0000"]);
    expect(await found({ excludeTags: ["prod", "test"] })).toEqual(["app-0002"]);
    expect(await found({ sort: "-name" })).toEqual(["app-0002", "app-0001", "app-0000"]);
  });

  test("asks a real server under its own name of the parameter", async () => {
    const world = acme({ workspaces: many(1) }).with({ dialect: "real" });
    await call(world, functions.getWorkspaces, { excludeTags: ["prod"] });
    expect(world.requests[0]?.query).toHaveProperty(["search[exclude-tags]"], "prod");
  });

  test("needs an organization, from the arguments or the connection", async () => {
    const world = acme().with({ organization: undefined as unknown as Json });
    await expect(call(world, functions.getWorkspaces, {})).rejects.toThrow("organization: is missing");
  });
});

describe("getRemoteStateConsumers", () => {
  test("answers all 105 consumers of a workspace, over two pages", async () => {
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

test("getWorkspaceTags answers a workspace's flat tags, as the service holds them", async () => {
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

  test("finds the registry by the discovery document, and answers a provider's versions", async () => {
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

  test("authenticates there as everywhere", async () => {
    const world = acme(PROVIDERS).with({ token: "nobody" });
    const args = { namespace: "hashicorp", name: "random" };
    await expect(call(world, functions.getPublicRegistry, args)).rejects.toThrow(/answered 401/);
  });

  test("asks a real server for the document under its own name", async () => {
    const world = acme(PROVIDERS).with({ dialect: "real" });
    await call(world, functions.getPublicRegistry, { namespace: "hashicorp", name: "random" });
    expect(world.requests[0]?.path).toBe("/.well-known/terraform.json");
  });
});

describe("the private registry", () => {
  const seeded = () =>
    acme({
      registryProviders: [
        { organization: "acme", registryName: "private", namespace: "acme", name: "platform" },
        { organization: "acme", registryName: "public", namespace: "hashicorp", name: "random" },
        { organization: "acme", registryName: "public", namespace: "hashicorp", name: "time" },
      ],
    });
  const named = async (args: Values) =>
    namesIn((await call(seeded(), functions.getRegistryProviders, args)).providers);

  test("is listed whole, by a search and by its kinds", async () => {
    expect((await named({})).sort()).toEqual(["platform", "random", "time"]);
    expect(await named({ q: "rand" })).toEqual(["random"]);
    expect(await named({ registryName: "private" })).toEqual(["platform"]);
    expect(await named({ organizationName: "other" })).toEqual([]);
    expect(await named({ limit: 1 })).toHaveLength(1);
  });

  test("answers one provider, a private one by its name alone", async () => {
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

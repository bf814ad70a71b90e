import { callFunction } from "../../../provider/core/functions/call";
import type { Values } from "../../../provider/core/language/object";
import functions from "../../../provider/services/workspaces/functions";
import oauthClient from "../../../provider/services/workspaces/oauthClient";
import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import { workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate, World } from "../../steps/world";
import { bodiesOf, expectNoChanges, problemsOf, replacedBy } from "../expectations";
import { as, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const PATH = "/api/v2/organizations/acme/oauth-clients";
const CANARY = "canary-token";
const hub = {
  name: "hub",
  serviceProvider: "github",
  httpUrl: "https://github.com",
  apiUrl: "https://api.github.com",
};
const program = { ...hub, oauthTokenString: CANARY };
const theirs = {
  name: "hub",
  "service-provider": "github",
  "http-url": "https://github.com",
  "api-url": "https://api.github.com",
  "oauth-token-string": "theirs",
};

function scene() {
  const world = workspaceWorld(oauthClient);
  const createTheirs = (attributes: object = theirs) =>
    world.send(
      "POST",
      PATH,
      { data: { type: "oauth-clients", attributes: attributes as Values } },
      as("owner"),
    );
  return { world, resource: new Resource(world, oauthClient), createTheirs };
}

async function clientsOn(world: World): Promise<string[]> {
  const { json } = await world.send("GET", PATH, undefined, as("owner"));
  // The stub returns a JSON:API list, which begins with the client of its settings.
  return (json as { data: { id: string }[] }).data.map(({ id }) => id).filter((id) => id !== "oc-code");
}

const creates = ({ requests }: World) => requests.filter(({ method }) => method === "POST");

describe("OAuth client", () => {
  test("keeps credentials that the program removes, with a note and without a request", async () => {
    const { world, resource } = scene();
    await resource.create({ ...program, secret: CANARY });
    const { changes, notes } = resource.preview(hub);
    expect(changes.map(({ path }) => path)).toEqual([["oauthTokenString"], ["secret"]]);
    expect(notes).toEqual(
      ["oauthTokenString", "secret"].map((name) =>
        expect.stringContaining(`no longer contains ${name}; the server has no default`),
      ),
    );
    await resource.up(hub);
    expect(bodiesOf(world, "PATCH")).toEqual([]);
    await expectNoChanges(resource, hub);
    expect(resource.preview(hub).notes).toEqual([]);
  });

  test("is created with its credentials, which no response contains, and gives a workspace its OAuth token", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    expect(bodiesOf(world, "POST")).toEqual([
      { data: { type: "oauth-clients", attributes: { ...theirs, "oauth-token-string": CANARY } } },
    ]);
    await expectNoChanges(resource, program);
    const { oauthClientId, oauthTokenId } = resource.outputs;
    expect(resource.id).toBe(`acme/${oauthClientId}`);
    const app = new Resource(world.another(), workspace);
    const inputs = { name: "shop", vcsRepo: { identifier: "acme/app", oauthTokenId: String(oauthTokenId) } };
    await app.create(inputs);
    await expectNoChanges(app, inputs);
  });

  test("a new token string is sent in place, and the OAuth token keeps its ID", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const { oauthTokenId } = resource.outputs;
    await resource.up({ ...program, oauthTokenString: "canary-other" });
    expect(bodiesOf(world, "PATCH")).toEqual([
      { data: { type: "oauth-clients", attributes: { "oauth-token-string": "canary-other" } } },
    ]);
    expect(resource.outputs.oauthTokenId).toBe(oauthTokenId);
  });

  test("scope, projects and agent pool are sent as an attribute and as relationships", async () => {
    const { world, resource } = scene();
    const limited = {
      ...program,
      organizationScoped: false,
      projectIds: ["prj-platform"],
      agentPoolId: "apool-large",
    };
    await resource.create(limited);
    expect(bodiesOf(world, "POST")).toMatchObject([
      {
        data: {
          attributes: { "organization-scoped": false },
          relationships: {
            projects: { data: [{ type: "projects", id: "prj-platform" }] },
            "agent-pool": { data: { type: "agent-pools", id: "apool-large" } },
          },
        },
      },
    ]);
    await expectNoChanges(resource, limited);
    await resource.up({ ...program, agentPoolId: "apool-large" });
    expect(bodiesOf(world, "PATCH")).toEqual([
      {
        data: {
          type: "oauth-clients",
          attributes: { "organization-scoped": true },
          relationships: { projects: { data: [] } },
        },
      },
    ]);
  });

  test.each(["serviceProvider", "httpUrl", "apiUrl"])("another %s replaces it", async (property) => {
    const { resource } = scene();
    await resource.create(program);
    const other = property === "serviceProvider" ? "github_enterprise" : "https://code.example.com";
    expect(replacedBy(resource, { ...program, [property]: other })).toEqual([property]);
  });

  test("a create fails if a client has the name, although the server accepts equal names", async () => {
    const { world, resource, createTheirs } = scene();
    await createTheirs();
    await expect(resource.create(program)).rejects.toThrow("already exists");
    expect(creates(world)).toEqual([]);
  });

  test("is created once if the response is lost", async () => {
    const { world, resource } = scene();
    world.fate = ({ method }): Fate => {
      if (method !== "POST") return "passes";
      world.fate = () => "passes";
      return "response lost";
    };
    await resource.create(program);
    expect(creates(world)).toHaveLength(1);
    expect(await clientsOn(world)).toEqual([resource.outputs.oauthClientId]);
  });

  test("after a lost response, a second client with the name leaves the outcome unknown: nothing is written", async () => {
    const { world, resource, createTheirs } = scene();
    world.fate = async ({ method }): Promise<Fate> => {
      if (method !== "POST") return "passes";
      world.fate = () => "passes";
      await createTheirs();
      return "response lost";
    };
    await expect(resource.create(program)).rejects.toThrow(/2 OAuth clients named "hub".*oc-.*oc-/s);
    expect(creates(world)).toHaveLength(1);
    expect(await clientsOn(world)).toHaveLength(2);
  });

  test("is removed from the state if the organization's list does not contain it, and stays without access", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
    const other = scene();
    await other.resource.create(program);
    const path = `/api/v2/oauth-clients/${other.resource.outputs.oauthClientId}`;
    await other.world.send("DELETE", path, undefined, as("owner"));
    expect(await other.resource.refresh()).toBe(false);
  });

  test.each<[string, Values]>([
    ["missing", { ...hub, serviceProvider: "ado_server" }],
    ["not used", { ...program, privateKey: "a key" }],
  ])("the check rejects a private key that is %s", (_, inputs) => {
    expect(problemsOf(scene().resource, inputs).join()).toContain("privateKey");
  });
});

describe("getOauthClient", () => {
  const lookUp = async ({ connection }: World, args: Values) =>
    (await callFunction(functions.getOauthClient, args, { connection, log: () => undefined })).result;

  test("finds a client by its name, by its service provider, and by both", async () => {
    const { world, resource } = scene();
    await resource.create({ ...program, serviceProvider: "gitlab_hosted" });
    const { oauthClientId, oauthTokenId } = resource.outputs;
    for (const args of [
      { name: "hub" },
      { serviceProvider: "gitlab_hosted" },
      { name: "hub", serviceProvider: "gitlab_hosted" },
    ])
      expect(await lookUp(world, args)).toMatchObject({
        id: resource.id,
        oauthClientId,
        oauthTokenId,
        name: "hub",
      });
    expect(JSON.stringify(await lookUp(world, { name: "hub" }))).not.toContain("canary");
  });

  test("finds a client without a name by its service provider", async () => {
    const { world, createTheirs } = scene();
    await createTheirs({ ...theirs, name: null, "service-provider": "gitlab_hosted" });
    expect(await lookUp(world, { serviceProvider: "gitlab_hosted" })).toMatchObject({
      serviceProvider: "gitlab_hosted",
      oauthTokenId: expect.stringMatching(/^ot-/),
    });
  });

  test("no client and several clients are an error that names the search", async () => {
    const { world, createTheirs } = scene();
    await createTheirs();
    await expect(lookUp(world, { name: "Hub" })).rejects.toThrow(/no OAuth client named "Hub" in .* acme/);
    await expect(lookUp(world, { name: "hub", serviceProvider: "gitlab_hosted" })).rejects.toThrow(
      'named "hub" for gitlab_hosted',
    );
    await expect(lookUp(world, { serviceProvider: "github" })).rejects.toThrow(/2 OAuth clients for github/);
    await expect(lookUp(world, {})).rejects.toThrow("set name, serviceProvider, or both");
  });
});

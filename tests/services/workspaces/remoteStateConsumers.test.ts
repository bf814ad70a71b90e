import { AlreadyExistsError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import { stringsIn } from "../../../provider/core/value/scalar";
import remoteStateConsumers from "../../../provider/services/workspaces/remoteStateConsumers";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate } from "../../steps/world";
import { inWorld, notesOfCreate } from "../expectations";
import { actAfter, setFate } from "../interference";

const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
const AT = `/api/v2/workspaces/${WORKSPACE_ID}`;
const LIST = `${AT}/relationships/remote-state-consumers`;
const workspaceId = WORKSPACE_ID;

/** A token that administers `app`, reads `web` and sees nothing else. */
const NARROW = {
  tokens: { narrow: { user: "nina", organizations: { acme: ["narrow"] } } },
  organizations: { acme: { teams: { narrow: { workspaces: { app: "admin", web: "read" } } } } },
};

function scene(token = "owner") {
  const world = workspaceWorld(remoteStateConsumers);
  world.stub.seed(NARROW);
  const own = world.with({ token });
  const ask = (method: string, path: string, data: Json) => world.send(method, path, { data }, headers);
  const changeConsumers = (method: string, ...ids: string[]) =>
    ask(
      method,
      LIST,
      ids.map((id) => ({ type: "workspaces", id })),
    );
  const setSharing = (isShared: boolean, flag = "global-remote-state") =>
    ask("PATCH", AT, { type: "workspaces", attributes: { [flag]: isShared } });
  /** All authorized consumers, as the organization's owner sees them. */
  const currentIds = async () => {
    const { json } = await world.send("GET", `${LIST}?page[size]=100`, undefined, headers);
    // The stub returns a JSON:API list.
    return (json as { data: { id: string }[] }).data.map(({ id }) => id).sort();
  };
  const writes = () =>
    own.requests.filter(({ nature }) => nature === "write").map(({ method, body }) => [method, idsOf(body)]);
  return {
    world: own,
    changeConsumers,
    setSharing,
    currentIds,
    writes,
    resource: new Resource(own, remoteStateConsumers),
  };
}

function idsOf(body: Json | undefined): string[] {
  // A JSON:API list of identifiers.
  return (body as { data: { id: string }[] }).data.map(({ id }) => id);
}

describe("remote state consumers of a workspace", () => {
  test("are added by POST and removed by DELETE; consumers that others added stay", async () => {
    const { resource, changeConsumers, currentIds, writes } = scene();
    await changeConsumers("POST", "ws-lab");
    await resource.create({ workspaceId, consumerIds: ["ws-web", "ws-api"] });
    await resource.up({ workspaceId, consumerIds: ["ws-web", "ws-ops"] });
    expect(writes()).toEqual([
      ["POST", ["ws-api", "ws-web"]],
      ["POST", ["ws-ops"]],
      ["DELETE", ["ws-api"]],
    ]);
    expect(await currentIds()).toEqual(["ws-lab", "ws-ops", "ws-web"]);
  });

  test("a consumer that another user adds between the read and the write is not lost", async () => {
    const { world, resource, changeConsumers, currentIds } = scene();
    world.fate = async ({ nature }): Promise<Fate> => {
      if (nature === "write") await changeConsumers("POST", "ws-lab");
      return "passes";
    };
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    await resource.up({ workspaceId, consumerIds: ["ws-ops"] });
    expect(await currentIds()).toEqual(["ws-lab", "ws-ops"]);
  });

  test("a delete removes only the consumers that the program wrote", async () => {
    const { resource, changeConsumers, currentIds, writes } = scene();
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    await changeConsumers("POST", "ws-lab");
    await resource.delete();
    expect(await currentIds()).toEqual(["ws-lab"]);
    expect(writes().at(-1)).toEqual(["DELETE", ["ws-web"]]);
  });

  test("a consumer that another user removes shows drift, and the next up adds it again", async () => {
    const { resource, changeConsumers, currentIds } = scene();
    const program = { workspaceId, consumerIds: ["ws-web", "ws-api"] };
    await resource.create(program);
    await changeConsumers("DELETE", "ws-api");
    await resource.refresh();
    expect(resource.preview(program).changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    await resource.up(program);
    expect(await currentIds()).toEqual(["ws-api", "ws-web"]);
  });

  test("a consumer that another user removes right after the write shows drift", async () => {
    const { world, resource, changeConsumers } = scene();
    const program = { workspaceId, consumerIds: ["ws-web", "ws-api"] };
    actAfter(world, /^POST/, () => changeConsumers("DELETE", "ws-api"));
    await resource.create(program);
    await resource.refresh();
    expect(resource.inputs).toEqual({ workspaceId, consumerIds: ["ws-web"] });
    expect(resource.preview(program).changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
  });

  test("105 consumers are read from two pages, and an update removes one of them", async () => {
    const { world, resource, currentIds } = scene();
    const names = Array.from({ length: 105 }, (_, index) => `reader-${index}`);
    world.stub.seed({ workspaces: names.map((name) => ({ organization: "acme", name, id: `ws-${name}` })) });
    const consumerIds = names.map((name) => `ws-${name}`);
    const program = { workspaceId, consumerIds };
    await resource.create(program);
    world.requests.length = 0;
    await resource.refresh();
    expect(world.requests.map(({ query }) => query?.["page[number]"])).toEqual([undefined, "1", "2"]);
    expect(resource.preview(program).changes).toEqual([]);
    expect(stringsIn(resource.record.observed.consumerIds).length).toBe(105);
    await resource.up({ workspaceId, consumerIds: consumerIds.slice(0, 104) });
    expect(await currentIds()).toHaveLength(100);
    expect(stringsIn(resource.record.observed.consumerIds).length).toBe(104);
  });

  test("the check rejects the workspace itself as a consumer", () => {
    const { resource } = scene();
    expect(resource.check({ workspaceId, consumerIds: ["ws-web", workspaceId] })).toEqual([
      { path: "consumerIds", reason: expect.stringContaining("must not contain the workspace itself") },
    ]);
  });

  test("a refresh removes them if the workspace was deleted, and fails if the token is invalid", async () => {
    const { world, resource } = scene();
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    const stranger = inWorld(resource, world.with({ token: "nobody" }));
    await expect(stranger.refresh()).rejects.toThrow(/returned 401/);
    await world.send("DELETE", AT, undefined, headers);
    expect(await resource.refresh()).toBe(false);
  });

  test("a delete whose response is lost succeeds", async () => {
    const { world, resource, currentIds } = scene();
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    setFate(world, /^DELETE/, "response lost");
    await resource.delete();
    expect(await currentIds()).toEqual([]);
  });
});

describe("a consumer that the token cannot read", () => {
  const program = { workspaceId, consumerIds: ["ws-web", "ws-ops"] };

  /** A resource that the owner created, with a token that cannot read `ws-ops`. */
  async function withNarrowToken() {
    const { resource: owners, ...rest } = scene();
    await owners.create(program);
    const world = rest.world.with({ token: "narrow" });
    const resource = new Resource(world, remoteStateConsumers);
    resource.id = owners.id;
    resource.outputs = owners.outputs;
    return { ...rest, world, resource };
  }

  test("shows no drift; a refresh requests it by its ID and logs that it cannot be read", async () => {
    const { world, resource } = await withNarrowToken();
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    expect(world.requests.at(-1)?.path).toBe("/api/v2/workspaces/ws-ops");
    expect(world.logged).toEqual([
      expect.stringMatching(/^info: .*cannot read ws-ops.*assumes that they are consumers/),
    ]);
  });

  test("does not hide the drift of a readable consumer that was removed", async () => {
    const { resource, changeConsumers } = await withNarrowToken();
    await changeConsumers("DELETE", "ws-web");
    await resource.refresh();
    expect(resource.preview(program).changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    expect(resource.record.observed.consumerIds).toEqual(["ws-ops"]);
  });

  test("is removed if the program removes it, and the others with the resource", async () => {
    const { resource, currentIds } = await withNarrowToken();
    await resource.up({ workspaceId, consumerIds: ["ws-web"] });
    expect(await currentIds()).toEqual(["ws-web"]);
    await resource.delete();
    expect(await currentIds()).toEqual([]);
  });

  test("is sent in a POST if the program adds it, and the up fails with HTTP 404", async () => {
    const { world, resource } = scene("narrow");
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    world.requests.length = 0;
    await expect(resource.up(program)).rejects.toThrow("returned 404");
    expect(world.requests.some(({ method }) => method === "POST")).toBe(true);
    expect(resource.preview(program).changes).toMatchObject([{ path: ["consumerIds"] }]);
  });

  test("a delete whose request is lost fails, and the next delete sends it again", async () => {
    const { world, resource } = await withNarrowToken();
    await resource.up({ workspaceId, consumerIds: ["ws-ops"] });
    setFate(world, /^DELETE/, "request lost");
    await expect(resource.delete()).rejects.toThrow(/lost its connection/);
    world.fate = () => "passes";
    await resource.delete();
    expect(world.requests.at(-1)?.method).toBe("DELETE");
  });
});

describe.each([
  ["globalRemoteState", "global-remote-state", "its state with its entire organization"],
  ["projectRemoteState", "project-remote-state", "its state with its entire project"],
])("remote state consumers of a workspace with %s: true", (_, flag, what) => {
  const program = { workspaceId, consumerIds: ["ws-web"] };

  test("a create warns that consumers have no effect, and the next preview has a note", async () => {
    const { world, resource, setSharing } = scene();
    await setSharing(true, flag);
    await resource.create(program);
    expect(world.logged).toEqual([expect.stringMatching(/^warning: .*has no effect/)]);
    const { changes, notes } = resource.preview(program);
    expect(changes).toEqual([]);
    expect(notes).toEqual([expect.stringContaining(`shares ${what}`)]);
  });

  test("exclusive: true shows no changes and removes no consumer of the complete list", async () => {
    const { resource, changeConsumers, setSharing, currentIds, writes } = scene();
    await changeConsumers("POST", "ws-lab");
    await setSharing(true, flag);
    const alone = { ...program, exclusive: true };
    await resource.create(alone);
    await resource.refresh();
    expect(resource.preview(alone).changes).toEqual([]);
    expect(writes()).toEqual([["POST", ["ws-web"]]]);
    await setSharing(false, flag);
    expect(await currentIds()).toEqual(["ws-lab", "ws-web"]);
  });

  test("another user's removal shows drift only after the sharing is turned off", async () => {
    const { resource, changeConsumers, setSharing } = scene();
    await resource.create(program);
    await setSharing(true, flag);
    await changeConsumers("DELETE", "ws-web");
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    await setSharing(false, flag);
    await resource.refresh();
    const { changes, notes } = resource.preview(program);
    expect(changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    expect(notes).toEqual([]);
  });
});

describe("remote state consumers with exclusive: true", () => {
  const alone = { workspaceId, consumerIds: ["ws-web"], exclusive: true };

  test("consumers that others added show drift and are removed by DELETE", async () => {
    const { resource, changeConsumers, currentIds, writes } = scene();
    await resource.create(alone);
    await changeConsumers("POST", "ws-lab", "ws-ops");
    await resource.refresh();
    expect(resource.preview(alone).changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    await resource.up(alone);
    expect(await currentIds()).toEqual(["ws-web"]);
    expect(writes().at(-1)).toEqual(["DELETE", ["ws-lab", "ws-ops"]]);
  });

  test("a create removes existing consumers only with adopt: true", async () => {
    const { resource, changeConsumers, currentIds } = scene();
    await changeConsumers("POST", "ws-lab");
    await expect(resource.create(alone)).rejects.toThrow(AlreadyExistsError);
    expect(await currentIds()).toEqual(["ws-lab"]);
    await resource.create({ ...alone, adopt: true });
    expect(await currentIds()).toEqual(["ws-web"]);
  });

  test("a consumer that another user adds before an update is a conflict and is not removed", async () => {
    const { resource, changeConsumers, currentIds } = scene();
    await resource.create(alone);
    await changeConsumers("POST", "ws-lab");
    await expect(resource.up({ ...alone, consumerIds: ["ws-ops"] })).rejects.toThrow(
      /consumerIds\["ws-lab"\] +\(none\) +\(none\) +"ws-lab"/,
    );
    expect(await currentIds()).toEqual(["ws-lab", "ws-web"]);
  });

  test("a delete keeps consumers that others added", async () => {
    const { resource, changeConsumers, currentIds } = scene();
    await resource.create(alone);
    await changeConsumers("POST", "ws-lab");
    await resource.refresh();
    await resource.delete();
    expect(await currentIds()).toEqual(["ws-lab"]);
  });

  test("previews note that consumers the token cannot read may stay, and a create keeps them", async () => {
    const { world, changeConsumers, currentIds } = scene("narrow");
    await changeConsumers("POST", "ws-ops");
    const resource = new Resource(world, remoteStateConsumers);
    expect(notesOfCreate(remoteStateConsumers, alone)).toEqual([
      expect.stringContaining("they may remain despite exclusive"),
    ]);
    await resource.create(alone);
    expect(resource.preview(alone).notes).toEqual([]);
    expect(resource.preview({ ...alone, consumerIds: [] }).notes).toEqual([
      expect.stringContaining("they may remain despite exclusive"),
    ]);
    expect(await currentIds()).toEqual(["ws-ops", "ws-web"]);
  });

  test("consumers that existed before a failed create stay after a delete of the resource", async () => {
    const { resource, changeConsumers, currentIds } = scene();
    await changeConsumers("POST", "ws-web");
    await expect(resource.create({ workspaceId, consumerIds: ["ws-web", "ws-ghost"] })).rejects.toThrow();
    if (resource.id !== "") await resource.delete();
    expect(await currentIds()).toEqual(["ws-web"]);
  });
});

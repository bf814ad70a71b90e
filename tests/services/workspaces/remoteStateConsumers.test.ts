import { AlreadyExistsError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import { wordsIn } from "../../../provider/core/value/scalar";
import remoteStateConsumers from "../../../provider/services/workspaces/remoteStateConsumers";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate } from "../../steps/world";
import { inWorld, notesOfCreate } from "../expectations";
import { setFate } from "../interference";

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
  const authorise = (method: string, ...ids: string[]) =>
    ask(
      method,
      LIST,
      ids.map((id) => ({ type: "workspaces", id })),
    );
  const share = (isGlobal: boolean) =>
    ask("PATCH", AT, { type: "workspaces", attributes: { "global-remote-state": isGlobal } });
  /** Everybody who is authorised, as the organization's owner sees it. */
  const held = async () => {
    const { json } = await world.send("GET", `${LIST}?page[size]=100`, undefined, headers);
    // The stub answers a JSON:API list.
    return (json as { data: { id: string }[] }).data.map(({ id }) => id).sort();
  };
  const writes = () =>
    own.requests.filter(({ nature }) => nature === "write").map(({ method, body }) => [method, idsOf(body)]);
  return { world: own, authorise, share, held, writes, resource: new Resource(own, remoteStateConsumers) };
}

function idsOf(body: Json | undefined): string[] {
  // A JSON:API list of identifiers.
  return (body as { data: { id: string }[] }).data.map(({ id }) => id);
}

describe("the remote state consumers of a workspace", () => {
  test("are added by POST and removed by DELETE, never by the PATCH that replaces; those of others stay", async () => {
    const { resource, authorise, held, writes } = scene();
    await authorise("POST", "ws-lab");
    await resource.create({ workspaceId, consumerIds: ["ws-web", "ws-api"] });
    await resource.up({ workspaceId, consumerIds: ["ws-web", "ws-ops"] });
    expect(writes()).toEqual([
      ["POST", ["ws-api", "ws-web"]],
      ["POST", ["ws-ops"]],
      ["DELETE", ["ws-api"]],
    ]);
    expect(await held()).toEqual(["ws-lab", "ws-ops", "ws-web"]);
  });

  test("whom somebody authorises between our look and our write is not lost", async () => {
    const { world, resource, authorise, held } = scene();
    world.fate = async ({ nature }): Promise<Fate> => {
      if (nature === "write") await authorise("POST", "ws-lab");
      return "passes";
    };
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    await resource.up({ workspaceId, consumerIds: ["ws-ops"] });
    expect(await held()).toEqual(["ws-lab", "ws-ops"]);
  });

  test("go with the resource as far as the program wrote them; the others stay", async () => {
    const { resource, authorise, held, writes } = scene();
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    await authorise("POST", "ws-lab");
    await resource.delete();
    expect(await held()).toEqual(["ws-lab"]);
    expect(writes().at(-1)).toEqual(["DELETE", ["ws-web"]]);
  });

  test("that somebody removes show after a refresh, and the next up authorises them again", async () => {
    const { resource, authorise, held } = scene();
    const program = { workspaceId, consumerIds: ["ws-web", "ws-api"] };
    await resource.create(program);
    await authorise("DELETE", "ws-api");
    await resource.refresh();
    expect(resource.preview(program).changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    await resource.up(program);
    expect(await held()).toEqual(["ws-api", "ws-web"]);
  });

  test("are all seen where they fill more than one page: 105 of them", async () => {
    const { world, resource, held } = scene();
    const names = Array.from({ length: 105 }, (_, index) => `reader-${index}`);
    world.stub.seed({ workspaces: names.map((name) => ({ organization: "acme", name, id: `ws-${name}` })) });
    const consumerIds = names.map((name) => `ws-${name}`);
    const program = { workspaceId, consumerIds };
    await resource.create(program);
    world.requests.length = 0;
    await resource.refresh();
    expect(world.requests.map(({ query }) => query?.["page[number]"])).toEqual([undefined, "1", "2"]);
    expect(resource.preview(program).changes).toEqual([]);
    expect(wordsIn(resource.record.observed.consumerIds).length).toBe(105);
    await resource.up({ workspaceId, consumerIds: consumerIds.slice(0, 104) });
    expect(await held()).toHaveLength(100);
    expect(wordsIn(resource.record.observed.consumerIds).length).toBe(104);
  });

  test("cannot hold the workspace itself, and the preview says so", () => {
    const { resource } = scene();
    expect(resource.check({ workspaceId, consumerIds: ["ws-web", workspaceId] })).toEqual([
      { path: "consumerIds", reason: expect.stringContaining("cannot hold the workspace itself") },
    ]);
  });

  test("are gone with the workspace, and not where the token merely may not read it any more", async () => {
    const { world, resource } = scene();
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    const stranger = inWorld(resource, world.with({ token: "nobody" }));
    await expect(stranger.refresh()).rejects.toThrow(/answered 401/);
    await world.send("DELETE", AT, undefined, headers);
    expect(await resource.refresh()).toBe(false);
  });

  test("after a lost answer to their removal are looked at, and known to be removed", async () => {
    const { world, resource, held } = scene();
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    setFate(world, /^DELETE/, "response lost");
    await resource.delete();
    expect(await held()).toEqual([]);
  });
});

describe("a consumer that the token cannot read", () => {
  const program = { workspaceId, consumerIds: ["ws-web", "ws-ops"] };

  /** A narrow token's state of what the owner wrote. */
  async function narrowed() {
    const { resource: owners, ...rest } = scene();
    await owners.create(program);
    const world = rest.world.with({ token: "narrow" });
    const resource = new Resource(world, remoteStateConsumers);
    resource.id = owners.id;
    resource.outputs = owners.outputs;
    return { ...rest, world, resource };
  }

  test("is missing from the list and no drift; it is asked for by its id, and told", async () => {
    const { world, resource } = await narrowed();
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    expect(world.requests.at(-1)?.path).toBe("/api/v2/workspaces/ws-ops");
    expect(world.logged).toEqual([
      expect.stringMatching(/^info: .*cannot read ws-ops.*taken to be as written/),
    ]);
  });

  test("does not hide that another one, which can be read, was removed", async () => {
    const { resource, authorise } = await narrowed();
    await authorise("DELETE", "ws-web");
    await resource.refresh();
    expect(resource.preview(program).changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    expect(resource.record.observed.consumerIds).toEqual(["ws-ops"]);
  });

  test("is removed when the program drops it, and with the resource", async () => {
    const { resource, held } = await narrowed();
    await resource.up({ workspaceId, consumerIds: ["ws-web"] });
    expect(await held()).toEqual(["ws-web"]);
  });

  test("which the program newly writes is asked for, never taken to be there", async () => {
    const { world, resource } = scene("narrow");
    await resource.create({ workspaceId, consumerIds: ["ws-web"] });
    world.requests.length = 0;
    await expect(resource.up(program)).rejects.toThrow("answered 404");
    expect(world.requests.some(({ method }) => method === "POST")).toBe(true);
    expect(resource.preview(program).changes).toMatchObject([{ path: ["consumerIds"] }]);
  });

  test("whose removal got no answer is not taken for removed", async () => {
    const { world, resource } = await narrowed();
    await resource.up({ workspaceId, consumerIds: ["ws-ops"] });
    setFate(world, /^DELETE/, "request lost");
    await expect(resource.delete()).rejects.toThrow(/lost its connection/);
    world.fate = () => "passes";
    await resource.delete();
    expect(world.requests.at(-1)?.method).toBe("DELETE");
  });
});

describe("while the workspace shares its state with its whole organization", () => {
  const program = { workspaceId, consumerIds: ["ws-web"] };

  test("the up says that consumers mean nothing, and the next preview says so too", async () => {
    const { world, resource, share } = scene();
    await share(true);
    await resource.create(program);
    expect(world.logged).toEqual([expect.stringMatching(/^warning: .*makes no difference/)]);
    const { changes, notes } = resource.preview(program);
    expect(changes).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/shares its state with its whole organization/)]);
  });

  test("the list, which then holds everybody, moves nothing and removes nobody, exclusive or not", async () => {
    const { resource, authorise, share, held, writes } = scene();
    await authorise("POST", "ws-lab");
    await share(true);
    const alone = { ...program, exclusive: true };
    await resource.create(alone);
    await resource.refresh();
    expect(resource.preview(alone).changes).toEqual([]);
    expect(writes()).toEqual([["POST", ["ws-web"]]]);
    await share(false);
    expect(await held()).toEqual(["ws-lab", "ws-web"]);
  });

  test("others' removals do not show; they do once it shares no longer, and the note goes", async () => {
    const { resource, authorise, share } = scene();
    await resource.create(program);
    await share(true);
    await authorise("DELETE", "ws-web");
    await resource.refresh();
    expect(resource.preview(program).changes).toEqual([]);
    await share(false);
    await resource.refresh();
    const { changes, notes } = resource.preview(program);
    expect(changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    expect(notes).toEqual([]);
  });
});

describe("with exclusive: true", () => {
  const alone = { workspaceId, consumerIds: ["ws-web"], exclusive: true };

  test("consumers of others are shown, and removed by DELETE", async () => {
    const { resource, authorise, held, writes } = scene();
    await resource.create(alone);
    await authorise("POST", "ws-lab", "ws-ops");
    await resource.refresh();
    expect(resource.preview(alone).changes).toMatchObject([{ path: ["consumerIds"], cause: "drift" }]);
    await resource.up(alone);
    expect(await held()).toEqual(["ws-web"]);
    expect(writes().at(-1)).toEqual(["DELETE", ["ws-lab", "ws-ops"]]);
  });

  test("those that are there before are removed only by a program that adopts", async () => {
    const { resource, authorise, held } = scene();
    await authorise("POST", "ws-lab");
    await expect(resource.create(alone)).rejects.toThrow(AlreadyExistsError);
    expect(await held()).toEqual(["ws-lab"]);
    await resource.create({ ...alone, adopt: true });
    expect(await held()).toEqual(["ws-web"]);
  });

  test("one that somebody authorises just before our write is a conflict, and stays", async () => {
    const { resource, authorise, held } = scene();
    await resource.create(alone);
    await authorise("POST", "ws-lab");
    await expect(resource.up({ ...alone, consumerIds: ["ws-ops"] })).rejects.toThrow(
      /consumerIds\["ws-lab"\] +\(none\) +\(none\) +"ws-lab"/,
    );
    expect(await held()).toEqual(["ws-lab", "ws-web"]);
  });

  test("a delete of the resource removes what the program wrote, and nobody else", async () => {
    const { resource, authorise, held } = scene();
    await resource.create(alone);
    await authorise("POST", "ws-lab");
    await resource.refresh();
    await resource.delete();
    expect(await held()).toEqual(["ws-lab"]);
  });

  test("the preview says that consumers may stay which the token cannot read, and they do", async () => {
    const { world, authorise, held } = scene("narrow");
    await authorise("POST", "ws-ops");
    const resource = new Resource(world, remoteStateConsumers);
    expect(notesOfCreate(remoteStateConsumers, alone)).toEqual([
      expect.stringContaining("they may stay unseen"),
    ]);
    await resource.create(alone);
    expect(resource.preview(alone).notes).toEqual([]);
    expect(resource.preview({ ...alone, consumerIds: [] }).notes).toEqual([
      expect.stringContaining("they may stay unseen"),
    ]);
    expect(await held()).toEqual(["ws-ops", "ws-web"]);
  });

  test("that were others' before a create that failed stay, also when what it left is destroyed", async () => {
    const { resource, authorise, held } = scene();
    await authorise("POST", "ws-web");
    await expect(resource.create({ workspaceId, consumerIds: ["ws-web", "ws-ghost"] })).rejects.toThrow();
    if (resource.id !== "") await resource.delete();
    expect(await held()).toEqual(["ws-web"]);
  });
});

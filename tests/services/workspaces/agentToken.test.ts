import { PartialError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import agentToken from "../../../provider/services/workspaces/agentToken";
import { Resource } from "../../steps/resource";
import { workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate, World } from "../../steps/world";
import { problemsOf, replacedBy } from "../expectations";
import { as, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const POOL = "apool-general";
const PATH = `/api/v2/agent-pools/${POOL}/authentication-tokens`;
const program = { agentPoolId: POOL, description: "of the cluster" };

function scene() {
  const world = workspaceWorld(agentToken);
  return { world, resource: new Resource(world, agentToken) };
}

async function tokensOn(world: World): Promise<string[]> {
  const { json } = await world.send("GET", PATH, undefined, as("owner"));
  // The stub returns a JSON:API list.
  return (json as { data: { id: string }[] }).data.map(({ id }) => id);
}

const ask = (world: World, method: string, path: string, body?: Json) =>
  world.send(method, path, body, as("owner"));

/** Loses the request or the response of the next write. */
function loseWrite(world: World, fate: Fate): void {
  world.fate = ({ method }) => {
    if (method === "GET") return "passes";
    world.fate = () => "passes";
    return fate;
  };
}

describe("agent token", () => {
  test("is created with one write, and its value is a secret output that a refresh keeps", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const { token, agentTokenId } = resource.outputs;
    expect(token).toMatch(/\.atlasv1\./);
    expect(resource.id).toBe(`${POOL}/${agentTokenId}`);
    expect(await tokensOn(world)).toEqual([agentTokenId]);
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
    expect(world.requests[1]?.body).toEqual({
      data: { type: "agent-tokens", attributes: { description: "of the cluster" } },
    });
    expect(await resource.refresh()).toBe(true);
    expect(resource.outputs.token).toBe(token);
  });

  test.each([
    ["description", { ...program, description: "again" }],
    ["triggers", { ...program, triggers: [2] }],
    ["agentPoolId", { ...program, agentPoolId: "apool-large" }],
  ])("another %s creates another token before the current one is deleted", async (property, changed) => {
    const { resource } = scene();
    await resource.create(program);
    expect(replacedBy(resource, changed)).toEqual([property]);
    expect(resource.preview(changed).deleteFirst).toBe(false);
  });

  test("after a lost response nothing is created again: the error names the tokens with the description", async () => {
    const { world, resource } = scene();
    loseWrite(world, "response lost");
    const failure = await resource.create(program).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartialError);
    const [id] = await tokensOn(world);
    expect(String(failure)).toContain("it is unknown whether a token was created");
    expect(String(failure)).toContain(`Tokens of the pool with this description: ${id}.`);
    await expect(resource.up(program)).rejects.toThrow(
      /response to an earlier request was lost.*change triggers/s,
    );
    expect(await tokensOn(world)).toEqual([id]);
    expect(resource.outputs.token).toBeUndefined();
    expect(await resource.refresh()).toBe(true);
  });

  test("a lost request is reported as unknown, and the error says that the pool has no such token", async () => {
    const { world, resource } = scene();
    loseWrite(world, "request lost");
    await expect(resource.create(program)).rejects.toThrow("The pool has no token with this description");
  });

  test("a delete after a lost response deletes nothing, and warns that a token may remain", async () => {
    const { world, resource } = scene();
    loseWrite(world, "response lost");
    await resource.create(program).catch(() => undefined);
    const [id] = await tokensOn(world);
    world.logged.length = 0;
    await resource.delete();
    expect(JSON.stringify(world.logged)).toContain("a token may remain");
    expect(JSON.stringify(world.logged)).toContain(id);
    expect(await tokensOn(world)).toEqual([id]);
  });

  test.each(["", null])("a response without a token (%j) is not a created token", async (token) => {
    const { world, resource } = scene();
    world.transformResponse = ({ method }, answer) =>
      method === "POST"
        ? { ...answer, json: { data: { id: "at-1", type: "authentication-tokens", attributes: { token } } } }
        : answer;
    await expect(resource.create(program)).rejects.toThrow("without a token");
    expect(resource.outputs.agentTokenId).toBeUndefined();
  });

  test("is deleted by its ID with one request, and once more after a lost response only if it still exists", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    await ask(world, "POST", PATH, { data: { type: "agent-tokens", attributes: program } });
    const [, theirs] = await tokensOn(world);
    loseWrite(world, "response lost");
    await resource.delete();
    expect(world.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    expect(await tokensOn(world)).toEqual([theirs]);
  });

  test("a delete whose request was lost fails, and the token stays in the state", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    loseWrite(world, "request lost");
    await expect(resource.delete()).rejects.toThrow();
    expect(await tokensOn(world)).toEqual([resource.outputs.agentTokenId]);
    await resource.delete();
    expect(await tokensOn(world)).toEqual([]);
  });

  test("is removed from the state if another user deleted it, or its pool", async () => {
    for (const path of [
      (id: Json) => `/api/v2/authentication-tokens/${id}`,
      () => `/api/v2/agent-pools/${POOL}`,
    ]) {
      const { world, resource } = scene();
      await resource.create(program);
      await ask(world, "DELETE", path(resource.outputs.agentTokenId ?? ""));
      expect(await resource.refresh()).toBe(false);
    }
  });

  test("stays in the state if the token of the connection can no longer read the pool", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
    await expect(resource.delete()).rejects.toThrow("returned 404");
  });

  test("rejects an empty description, and a pool that does not exist", async () => {
    const { resource } = scene();
    expect(problemsOf(resource, { ...program, description: "" })).toEqual([
      expect.stringMatching(/^description: /),
    ]);
    await expect(resource.create({ ...program, agentPoolId: "apool-none" })).rejects.toThrow("returned 404");
    expect(resource.id).toBe("");
  });
});

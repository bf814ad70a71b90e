import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import variable from "../../../provider/services/workspaces/variable";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate } from "../../steps/world";
import { bodiesOf, changedPaths, expectNoChanges, inWorld, problemsOf, replacedBy } from "../expectations";
import { OWNER_WITHOUT_ACCESS, ask as send } from "./workspace-scene";

const own = { workspaceId: WORKSPACE_ID, key: "region", category: "terraform" };
const readable = { ...own, value: "eu-west-1" };
const sensitive = { ...own, sensitive: true, sensitiveValue: "canary-1" };
const VARS = `${WORKSPACE_ID}/vars`;

function scene() {
  const world = workspaceWorld(variable);
  const resource = new Resource(world, variable);
  const ask = (method: string, path: string, attributes?: { [name: string]: Json }) =>
    send(world, method, `${VARS}${path}`, attributes && { type: "vars", attributes });
  const theirs = (attributes: { [name: string]: Json }) =>
    ask("PATCH", `/${resource.outputs.variableId}`, attributes);
  /** The variables on the server. */
  const there = async (): Promise<Values[]> => {
    // A list has an array as its data.
    const { data } = (await ask("GET", "")) as unknown as { data: { attributes: Values }[] };
    return data.map(({ attributes }) => attributes);
  };
  const created = async (program: Values) => {
    await resource.create(program);
    world.requests.length = 0;
  };
  return { world, resource, ask, theirs, there, created };
}

describe("workspace variable", () => {
  test("sends a sensitive value as the value, and updates it in place if the program's value changes", async () => {
    const { world, resource, there } = scene();
    await resource.create(sensitive);
    const attributes = { key: "region", category: "terraform", sensitive: true, value: "canary-1" };
    expect(bodiesOf(world, "POST")).toEqual([{ data: { type: "vars", attributes } }]);
    expect(await there()).toMatchObject([{ sensitive: true, value: null }]);
    await expectNoChanges(resource, sensitive);
    const changed = { ...sensitive, sensitiveValue: "canary-2" };
    expect(changedPaths(resource, changed)).toEqual(["sensitiveValue"]);
    expect(replacedBy(resource, changed)).toEqual([]);
    await resource.up(changed);
    expect(bodiesOf(world, "PATCH")).toEqual([{ data: { type: "vars", attributes: { value: "canary-2" } } }]);
    await expectNoChanges(resource, changed);
  });

  test("becomes sensitive in place, and its readable value leaves the outputs", async () => {
    const { world, resource, there, created } = scene();
    await created(readable);
    expect(replacedBy(resource, sensitive)).toEqual([]);
    await resource.up(sensitive);
    expect(bodiesOf(world, "PATCH")).toEqual([
      { data: { type: "vars", attributes: { value: "canary-1", sensitive: true } } },
    ]);
    expect(resource.outputs).not.toHaveProperty("value");
    expect(await there()).toMatchObject([{ sensitive: true, value: null }]);
    await expectNoChanges(resource, sensitive);
  });

  test.each<[string, Values, string[]]>([
    ["sensitive", readable, ["value", "sensitive"]],
    ["key", { ...sensitive, key: "zone" }, ["key"]],
    ["hcl", { ...sensitive, hcl: true }, ["hcl"]],
  ])(
    "is replaced if it is sensitive and its %s changes: it is deleted first",
    async (_, program, replaced) => {
      const { resource, created } = scene();
      await created(sensitive);
      expect(replacedBy(resource, program)).toEqual(replaced);
      expect(resource.preview(program).deleteFirst).toBe(true);
      await resource.delete();
      await resource.create(program);
      await expectNoChanges(resource, program);
    },
  );

  test("is changed in place in every property while it is readable", async () => {
    const { world, resource, created } = scene();
    await created(readable);
    const program = { ...own, key: "zone", category: "env", value: "a", hcl: true, description: "where" };
    expect(replacedBy(resource, program)).toEqual([]);
    await resource.up(program);
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
    await expectNoChanges(resource, program);
  });

  test("is replaced if another user made it sensitive, because no request makes it readable again", async () => {
    const { resource, theirs, created } = scene();
    await created(readable);
    await theirs({ sensitive: true });
    await resource.refresh();
    expect(replacedBy(resource, readable)).toEqual(["value"]);
    expect(replacedBy(resource, { ...readable, sensitive: false })).toEqual(["value", "sensitive"]);
  });

  test("shows no changes if another user changed a sensitive value, which the server never returns", async () => {
    const { resource, theirs, created } = scene();
    await created(sensitive);
    await theirs({ value: "another" });
    await expectNoChanges(resource, sensitive);
  });

  test("is not overwritten if another user changed it since the last read", async () => {
    const { world, resource, theirs, there, created } = scene();
    await created(readable);
    await theirs({ value: "us-east-1" });
    await expect(resource.update({ ...readable, value: "eu-north-1" })).rejects.toThrow(
      /conflict: workspace variable .* was changed[\s\S]*value +"eu-west-1" +"eu-north-1" +"us-east-1"/,
    );
    expect(bodiesOf(world, "PATCH")).toEqual([]);
    expect(await there()).toMatchObject([{ value: "us-east-1" }]);
  });

  test("a create of an existing key fails, and adopts the variable with adopt: true", async () => {
    const { world, resource, ask, there } = scene();
    await ask("POST", "", { key: "region", category: "terraform", value: "us-east-1" });
    await ask("POST", "", { key: "region", category: "env", value: "other" });
    await expect(resource.create(readable)).rejects.toThrow("already exists");
    await resource.create({ ...readable, adopt: true });
    expect(await there()).toMatchObject([{ value: "eu-west-1" }, { category: "env", value: "other" }]);
    expect(bodiesOf(world, "POST")).toEqual([]);
  });

  test("a readable variable cannot adopt a sensitive one, and nothing is written", async () => {
    const { world, resource, ask } = scene();
    await ask("POST", "", { key: "region", category: "terraform", value: "hush", sensitive: true });
    await expect(resource.create({ ...readable, adopt: true, sensitive: false })).rejects.toThrow(
      "cannot be adopted, because its immutable properties differ (value, sensitive); nothing was written",
    );
    expect(world.requests.every(({ nature }) => nature === "read")).toBe(true);
  });

  test("a sensitive variable can adopt a readable one with another value", async () => {
    const { resource, ask, there } = scene();
    await ask("POST", "", { key: "region", category: "terraform", value: "us-east-1", hcl: true });
    await resource.create({ ...sensitive, hcl: false, adopt: true });
    expect(await there()).toMatchObject([{ sensitive: true, hcl: false, value: null }]);
  });

  test("a create whose response was lost is found by its key, and is not sent again", async () => {
    const { world, resource, there } = scene();
    world.fate = ({ nature }): Fate => (nature === "read" ? "passes" : "response lost");
    await resource.create(readable);
    expect(bodiesOf(world, "POST")).toHaveLength(1);
    expect(await there()).toHaveLength(1);
    world.fate = () => "passes";
    await expectNoChanges(resource, readable);
  });

  test("a create that is rejected because of a key that another user just took is not overwritten", async () => {
    const { world, resource, ask, there } = scene();
    world.fate = async ({ method }): Promise<Fate> => {
      if (method === "POST") await ask("POST", "", { key: "region", category: "terraform", value: "theirs" });
      return "passes";
    };
    await expect(resource.create(readable)).rejects.toThrow("already exists");
    expect(await there()).toMatchObject([{ value: "theirs" }]);
  });

  test("is deleted with one read and one request", async () => {
    const { world, resource, there, created } = scene();
    await created(readable);
    await resource.delete();
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
    expect(await there()).toEqual([]);
  });

  test("is removed from the state if it was deleted, alone or with its workspace", async () => {
    for (const path of [(id: unknown) => `${VARS}/${id}`, () => WORKSPACE_ID]) {
      const { world, resource, created } = scene();
      await created(readable);
      await send(world, "DELETE", path(resource.outputs.variableId));
      expect(await resource.refresh()).toBe(false);
      await resource.delete();
    }
  });

  test("stays in the state if the token can no longer read the workspace", async () => {
    const { world, resource, created } = scene();
    await created(readable);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
    await expect(resource.delete()).rejects.toThrow("returned 404");
  });

  test("a token without permission on variables cannot change it, and the error names the permission", async () => {
    const { world, resource, created } = scene();
    await created(readable);
    world.stub.seed({
      tokens: { guest: { user: "gina", organizations: { acme: ["guests"] } } },
      organizations: {
        acme: { teams: { guests: { workspaces: { app: { runs: true, variables: "read" } } } } },
      },
    });
    const guest = inWorld(resource, world.with({ token: "guest" }));
    expect(await guest.refresh()).toBe(true);
    await expect(guest.update({ ...readable, value: "eu-north-1" })).rejects.toThrow(
      "Read and write permission on variables",
    );
  });

  test("is imported by workspace ID and variable ID, or by organization, workspace name and variable ID", async () => {
    const { world, resource, created } = scene();
    await created(readable);
    const { variableId } = resource.outputs;
    for (const id of [`${WORKSPACE_ID}/${variableId}`, `acme/app/${variableId}`]) {
      const read = new Resource(world, variable);
      expect(await read.get(id)).toMatchObject(readable);
      expect(read.id).toBe(`${WORKSPACE_ID}/${variableId}`);
      await expectNoChanges(read, readable);
    }
  });

  const NEEDED = expect.stringMatching(
    /^sensitiveValue: (given .secret.: )?is required if sensitive is true, and only allowed then/,
  );

  test.each<[string, Values, unknown]>([
    ["a sensitive variable without a value", { ...own, sensitive: true }, [NEEDED]],
    ["a sensitive value of a readable variable", { ...own, sensitiveValue: "canary-1" }, [NEEDED]],
    [
      "a readable value of a sensitive variable",
      { ...sensitive, value: "canary-1" },
      [expect.stringMatching(/^value: (given .*: )?cannot be set if sensitive is true/)],
    ],
    ["a key of 129 characters", { ...readable, key: "k".repeat(129) }, [expect.stringMatching(/^key: /)]],
    ["an unknown category", { ...readable, category: "policy" }, [expect.stringMatching(/^category: /)]],
  ])("the check rejects %s", (_, program, problems) => {
    expect(problemsOf(scene().resource, program)).toEqual(problems);
  });
});

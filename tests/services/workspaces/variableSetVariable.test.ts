import type { Json } from "../../../provider/core/value/json";
import variableSetVariable from "../../../provider/services/workspaces/variableSetVariable";
import { Resource } from "../../steps/resource";
import { VARIABLE_SET_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate } from "../../steps/world";
import { bodiesOf, expectNoChanges, problemsOf, replacedBy } from "../expectations";
import { as, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const ALL = `/api/v2/varsets/${VARIABLE_SET_ID}/relationships/vars`;
const region = { variableSetId: VARIABLE_SET_ID, key: "region", category: "terraform", value: "eu" };
const { value: _, ...named } = region;
const secret = { ...named, sensitive: true, sensitiveValue: "canary-secret" };

function scene() {
  const world = workspaceWorld(variableSetVariable);
  const ask = (method: string, path: string, attributes?: { [name: string]: Json }) =>
    world.send(method, path, attributes && { data: { type: "vars", attributes } }, as("owner"));
  return { world, resource: new Resource(world, variableSetVariable), ask };
}

describe("variable of a variable set", () => {
  test("is created in the set, and an update sends only the changed attribute", async () => {
    const { world, resource } = scene();
    await resource.create(region);
    expect(resource.id).toBe(`${VARIABLE_SET_ID}/${resource.outputs.variableId}`);
    expect(world.requests.at(-1)?.path).toBe(ALL);
    await expectNoChanges(resource, region);
    await resource.up({ ...region, value: "us" });
    expect(bodiesOf(world, "PATCH")).toEqual([{ data: { type: "vars", attributes: { value: "us" } } }]);
  });

  test("a sensitive value is sent in the attribute `value`, and no output but its own contains it", async () => {
    const { world, resource } = scene();
    await resource.create(secret);
    expect(bodiesOf(world, "POST")).toMatchObject([{ data: { attributes: { value: "canary-secret" } } }]);
    // The engine encrypts the records.
    const { sensitiveValue: __, __quarterdeck: ___, ...shown } = resource.outputs;
    expect(JSON.stringify(shown)).not.toContain("canary-secret");
    expect(replacedBy(resource, { ...secret, key: "zone" })).toEqual(["key"]);
    expect(problemsOf(resource, { ...region, sensitive: true }).join()).toContain("sensitiveValue");
  });

  test("a create of an existing key fails, and is adopted with adopt: true", async () => {
    const { world, resource, ask } = scene();
    await ask("POST", ALL, { key: "region", category: "terraform", value: "theirs" });
    await expect(resource.create(region)).rejects.toThrow("already exists");
    expect(bodiesOf(world, "POST")).toEqual([]);
    await resource.create({ ...region, adopt: true });
    await expectNoChanges(resource, { ...region, adopt: true });
  });

  test("is created once if the response is lost", async () => {
    const { world, resource } = scene();
    world.fate = ({ method }): Fate => {
      if (method !== "POST") return "passes";
      world.fate = () => "passes";
      return "response lost";
    };
    await resource.create(region);
    expect(bodiesOf(world, "POST")).toHaveLength(1);
  });

  test("is removed from the state if another user deleted it, or its set", async () => {
    for (const isSet of [false, true]) {
      const { resource, ask } = scene();
      await resource.create(region);
      await ask(
        "DELETE",
        isSet ? `/api/v2/varsets/${VARIABLE_SET_ID}` : `${ALL}/${resource.outputs.variableId}`,
      );
      expect(await resource.refresh()).toBe(false);
    }
  });

  test("stays in the state if the token can no longer read the set", async () => {
    const { world, resource } = scene();
    await resource.create(region);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
  });

  test("a set that does not exist is an error before the create, and the import finds a variable by both IDs", async () => {
    const { world, resource } = scene();
    await expect(resource.create({ ...region, variableSetId: "varset-none" })).rejects.toThrow(
      "returned 404",
    );
    expect(bodiesOf(world, "POST")).toEqual([]);
    await resource.create(region);
    const read = new Resource(world, variableSetVariable);
    expect(await read.get(resource.id)).toMatchObject(region);
  });
});

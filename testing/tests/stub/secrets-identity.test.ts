import { NOT_FOUND, scene } from "./secrets-scene";

const USERPASS = "auth_userpass_4813494d";
const APPROLE = "auth_approle_4813494d";
const error = (text: string) => ({ body: { errors: [expect.stringContaining(text)] } });

/** Creates an object, and returns its ID. */
async function created(path: string, body: object): Promise<string> {
  const response = await scene.write(path, body);
  expect(response.status).toBe(200);
  return String(Object(response.body.data).id);
}

describe("entities", () => {
  test("are created once for each name, regardless of its case, and then updated", async () => {
    const id = await created("identity/entity", { name: "App", policies: ["b", "A"], metadata: { a: "b" } });
    expect((await scene.write("identity/entity", { name: "app", disabled: true })).status).toBe(204);
    const expected = { id, name: "app", policies: ["a", "b"], metadata: { a: "b" }, disabled: true };
    expect((await scene.read(`identity/entity/id/${id}`)).body.data).toMatchObject(expected);
    expect((await scene.read("identity/entity/name/APP")).body.data).toMatchObject(expected);
    expect((await scene.send("LIST", "identity/entity/id")).body.data).toEqual({
      keys: [id],
      key_info: { [id]: { name: "app" } },
    });
    expect((await scene.send("DELETE", `identity/entity/id/${id}`)).status).toBe(204);
    expect(await scene.read(`identity/entity/id/${id}`)).toMatchObject(NOT_FOUND);
    expect(await scene.read("identity/entity/name/app")).toMatchObject(NOT_FOUND);
  });

  test("cannot have the name of another one or the policy root", async () => {
    const id = await created("identity/entity", { name: "one" });
    await created("identity/entity", { name: "two" });
    expect(await scene.write(`identity/entity/id/${id}`, { name: "Two" })).toMatchObject(error("in use"));
    expect(await scene.write(`identity/entity/id/${id}`, { policies: "root" })).toMatchObject(error("root"));
    expect(await scene.write("identity/entity/id/none", {})).toMatchObject(error("entity not found"));
  });
});

describe("entity aliases", () => {
  test("are one for each entity and auth method, and are deleted with the entity", async () => {
    const canonical_id = await created("identity/entity", { name: "app" });
    const alias = { name: "alice", mount_accessor: USERPASS, canonical_id };
    const id = await created("identity/entity-alias", { ...alias, custom_metadata: { a: "b" } });
    expect((await scene.read(`identity/entity-alias/id/${id}`)).body.data).toMatchObject({
      ...alias,
      custom_metadata: { a: "b" },
      mount_path: "auth/userpass/",
      mount_type: "userpass",
    });
    expect(await created("identity/entity-alias", alias)).toBe(id);
    expect(await scene.write("identity/entity-alias", { ...alias, name: "bob" })).toMatchObject(
      error("already exists for requested entity"),
    );
    await scene.write(`identity/entity-alias/id/${id}`, { name: "bob", mount_accessor: APPROLE });
    expect((await scene.send("LIST", "identity/entity-alias/id")).body.data).toMatchObject({
      key_info: { [id]: { name: "bob", mount_accessor: APPROLE, canonical_id } },
    });
    expect((await scene.read(`identity/entity/id/${canonical_id}`)).body.data).toMatchObject({
      aliases: [{ id, name: "bob" }],
    });
    await scene.send("DELETE", `identity/entity/id/${canonical_id}`);
    expect(await scene.read(`identity/entity-alias/id/${id}`)).toMatchObject(NOT_FOUND);
  });

  test("need an auth method and an entity that exist", async () => {
    const alias = { name: "alice", mount_accessor: USERPASS };
    expect(await scene.write("identity/entity-alias", { ...alias, mount_accessor: "x" })).toMatchObject(
      error("invalid mount accessor"),
    );
    expect(await scene.write("identity/entity-alias", { ...alias, canonical_id: "x" })).toMatchObject(
      error("invalid canonical ID"),
    );
    expect(await scene.write("identity/entity-alias/id/none", {})).toMatchObject(error("invalid alias ID"));
    await created("identity/entity-alias", alias);
    expect((await scene.send("LIST", "identity/entity/id")).status).toBe(200);
  });
});

describe("groups", () => {
  test("have members, and are created once for each name", async () => {
    const entity = await created("identity/entity", { name: "app" });
    const inner = await created("identity/group", { name: "inner" });
    const members = { member_entity_ids: [entity], member_group_ids: [inner] };
    const id = await created("identity/group", { name: "App", policies: ["B"], ...members });
    expect((await scene.write("identity/group", { name: "app" })).status).toBe(204);
    expect((await scene.read("identity/group/name/APP")).body.data).toMatchObject({
      ...members,
      id,
      name: "app",
      policies: ["b"],
      type: "internal",
      modify_index: 2,
      alias: {},
    });
    expect((await scene.read(`identity/group/id/${inner}`)).body.data).toMatchObject({
      parent_group_ids: [id],
      member_group_ids: null,
    });
    const path = `identity/group/id/${id}`;
    expect(await scene.write(path, { type: "external" })).toMatchObject(error("type cannot be changed"));
    expect(await scene.write(path, { name: "inner" })).toMatchObject(error("already in use"));
    expect(await scene.write(path, { member_entity_ids: ["x"] })).toMatchObject(error("invalid entity ID"));
    expect(await scene.write("identity/group/id/none", {})).toMatchObject(error("invalid group ID"));
    expect((await scene.send("LIST", "identity/group/id")).body.data).toMatchObject({
      key_info: { [id]: { name: "app" } },
    });
    expect((await scene.send("DELETE", path)).status).toBe(204);
    expect(await scene.read(path)).toMatchObject(NOT_FOUND);
  });

  test("that are external have one alias and no members of their own", async () => {
    const canonical_id = await created("identity/group", { name: "ext", type: "external" });
    expect(await scene.write(`identity/group/id/${canonical_id}`, { member_entity_ids: [] })).toMatchObject(
      error("external groups"),
    );
    const alias = { name: "admins", mount_accessor: USERPASS, canonical_id };
    const first = await created("identity/group-alias", alias);
    expect(await scene.write("identity/group-alias", alias)).toMatchObject(error("already in use"));
    const second = await created("identity/group-alias", { ...alias, name: "other" });
    expect(await scene.read(`identity/group-alias/id/${first}`)).toMatchObject(NOT_FOUND);
    expect((await scene.read(`identity/group-alias/id/${second}`)).body.data).toMatchObject({
      name: "other",
    });
    expect(await scene.write(`identity/group-alias/id/${second}`, { name: "x" })).toMatchObject(
      error("missing mount_accessor"),
    );
    expect((await scene.read(`identity/group/id/${canonical_id}`)).body.data).toMatchObject({
      alias: { id: second },
    });
    const internal = await created("identity/group", { name: "int" });
    expect(
      await scene.write("identity/group-alias", { ...alias, name: "y", canonical_id: internal }),
    ).toMatchObject(error("internal group"));
    expect((await scene.send("LIST", "identity/group-alias/id")).body.data).toMatchObject({ keys: [second] });
    expect((await scene.send("DELETE", `identity/group-alias/id/${second}`)).status).toBe(204);
  });
});

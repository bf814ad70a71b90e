import entity from "../../../provider/services/secrets/entity";
import entityAlias from "../../../provider/services/secrets/entityAlias";
import group from "../../../provider/services/secrets/group";
import groupAlias from "../../../provider/services/secrets/groupAlias";
import { expectNoChanges } from "../expectations";
import { scene } from "./scene";

const ACCESSOR = "auth_userpass_4813494d";

/** The ID of the object that another user's write creates. */
const idIn = (response: object) => String((response as { data: { id: string } }).data.id);

describe("identity entity", () => {
  test("is not created over an entity of the same name in another case, which the server would update", async () => {
    const { resource, theirs, readServer } = await scene(entity);
    const id = idIn(await theirs("identity/entity", { name: "App", policies: ["theirs"] }));
    await expect(resource.create({ name: "app", policies: ["ours"] })).rejects.toThrow("already exists");
    expect(await readServer(`identity/entity/id/${id}`)).toMatchObject({ policies: ["theirs"] });
    await resource.create({ name: "app", policies: ["ours"], adopt: true });
    expect(resource.outputs).toMatchObject({ entityId: id });
    expect(await readServer(`identity/entity/id/${id}`)).toMatchObject({ name: "app", policies: ["ours"] });
  });

  test("is renamed in place, and keeps what the program does not manage", async () => {
    const { resource, theirs, written } = await scene(entity);
    await resource.create({ name: "app" });
    const { entityId } = resource.outputs;
    await theirs(`identity/entity/id/${entityId}`, { metadata: { owner: "theirs" } });
    await resource.update({ name: "web" });
    expect(written().at(-1)).toEqual({ name: "web" });
    expect(resource.outputs).toMatchObject({ entityId, name: "web" });
  });

  test("has policies in lower case and in any order", async () => {
    const { resource } = await scene(entity);
    await resource.create({ name: "app", policies: ["Web", "app"] });
    await expectNoChanges(resource, { name: "app", policies: ["Web", "app"] });
    await expectNoChanges(resource, { name: "app", policies: ["app", "web"] });
  });

  test("has policies with blanks, written twice or empty, as the server stores them", async () => {
    const { resource, readServer, world } = await scene(entity);
    const program = { name: "app", policies: [" b ", "A", "a", ""] };
    await resource.create(program);
    const at = `identity/entity/id/${resource.outputs.entityId}`;
    expect(await readServer(at)).toMatchObject({ policies: ["a", "b"] });
    await expectNoChanges(resource, program);
    expect(world.logged).toEqual([]);
  });

  test("has a problem in the preview with the policy root", async () => {
    const { problems } = await scene(entity);
    expect(problems({ name: "app", policies: ["root"] })).toEqual([
      expect.stringContaining("must not be root"),
    ]);
  });
});

describe("entity alias", () => {
  test("is not created over the alias that a first login created", async () => {
    const { resource, theirs, readServer } = await scene(entityAlias);
    const canonicalId = idIn(await theirs("identity/entity", { name: "app" }));
    const id = idIn(await theirs("identity/entity-alias", { name: "Alice", mount_accessor: ACCESSOR }));
    const program = { name: "alice", mountAccessor: ACCESSOR, canonicalId };
    await expect(resource.create(program)).rejects.toThrow("already exists");
    expect((await readServer(`identity/entity-alias/id/${id}`)).canonical_id).not.toBe(canonicalId);
    await resource.create({ ...program, adopt: true });
    expect(await readServer(`identity/entity-alias/id/${id}`)).toMatchObject({ canonical_id: canonicalId });
  });
});

describe("identity group", () => {
  test("has members in any order, and no empty list as long as the program sets none", async () => {
    const { resource, theirs, written } = await scene(group);
    const entities = [];
    for (const name of ["a", "b"]) entities.push(idIn(await theirs("identity/entity", { name })));
    await resource.create({ name: "app" });
    expect(written()).toEqual([{ name: "app" }]);
    const program = { name: "app", memberEntityIds: entities };
    await resource.update(program);
    await expectNoChanges(resource, { ...program, memberEntityIds: [...entities].reverse() });
    await resource.update({ name: "app" });
    expect(written().at(-1)).toEqual({ member_entity_ids: [] });
  });

  test("has each member once, also if the program writes it twice", async () => {
    const { resource, theirs, world } = await scene(group);
    const member = idIn(await theirs("identity/entity", { name: "a" }));
    const program = { name: "app", memberEntityIds: [member, member] };
    await resource.create(program);
    await expectNoChanges(resource, program);
    await expectNoChanges(resource, { name: "app", memberEntityIds: [member] });
    expect(world.logged).toEqual([]);
  });

  test("has problems in the preview if it is external and has members", async () => {
    const { problems } = await scene(group);
    expect(problems({ name: "app", type: "external", memberGroupIds: ["x"] })).toEqual([
      expect.stringContaining("must not be set with"),
    ]);
  });
});

describe("group alias", () => {
  test("is not created over the alias of its group, which the server would replace", async () => {
    const { resource, theirs, readServer } = await scene(groupAlias);
    const canonicalId = idIn(await theirs("identity/group", { name: "ext", type: "external" }));
    const alias = { name: "theirs", mount_accessor: ACCESSOR, canonical_id: canonicalId };
    const id = idIn(await theirs("identity/group-alias", alias));
    const program = { name: "admins", mountAccessor: ACCESSOR, canonicalId };
    await expect(resource.create(program)).rejects.toThrow("already exists");
    expect(await readServer(`identity/group-alias/id/${id}`)).toMatchObject({ name: "theirs" });
    await resource.create({ ...program, adopt: true });
    expect(await readServer(`identity/group-alias/id/${id}`)).toMatchObject({ name: "admins" });
  });
});

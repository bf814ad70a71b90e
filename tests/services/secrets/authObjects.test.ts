import { PlaceMemory } from "../../../provider/core/language/placeMemory";
import appRole from "../../../provider/services/secrets/appRole";
import authMethod from "../../../provider/services/secrets/authMethod";
import userpassUser from "../../../provider/services/secrets/userpassUser";
import { Resource } from "../../steps/resource";
import type { Fate } from "../../steps/world";
import { expectNoChanges } from "../expectations";
import { letPass, setFate } from "../interference";
import { scene } from "./scene";

const USER = "auth/userpass/users/app";
const ROLE = "auth/approle/role/app";
const user = { username: "app", password: "hush-1", tokenPolicies: ["app"] };
const role = { roleName: "app", tokenPolicies: ["app"] };

describe("userpass user", () => {
  test("sends its password only after a change of it", async () => {
    const { resource, written } = await scene(userpassUser);
    await resource.create(user);
    await resource.update({ ...user, tokenPolicies: ["web"] });
    await resource.update({ ...user, tokenPolicies: ["web"], password: "hush-2" });
    expect(written()).toEqual([
      { password: "hush-1", token_policies: ["app"] },
      { token_policies: ["web"] },
      { password: "hush-2" },
    ]);
  });

  test("has a name in lower case, which the program may write in another case", async () => {
    const { resource } = await scene(userpassUser);
    await resource.create({ ...user, username: "App" });
    expect(resource.id).toBe("userpass/app");
    await expectNoChanges(resource, { ...user, username: "App" });
  });

  test("takes a block of one address for that address", async () => {
    const { resource, readServer } = await scene(userpassUser);
    const program = { ...user, tokenBoundCidrs: ["10.0.0.1/32", "::1/128", "10.0.0.0/8"] };
    await resource.create(program);
    expect(await readServer(USER)).toMatchObject({ token_bound_cidrs: ["10.0.0.1", "::1", "10.0.0.0/8"] });
    await expectNoChanges(resource, program);
    await expectNoChanges(resource, { ...user, tokenBoundCidrs: ["10.0.0.0/8", "10.0.0.1", "::1"] });
  });

  test("takes every spelling of an address, and of a policy's name, for the stored one", async () => {
    const { resource, readServer, world } = await scene(userpassUser);
    const program = {
      ...user,
      tokenPolicies: ["web", " app ", "web"],
      tokenBoundCidrs: ["2001:0DB8:0::1", "2001:DB8::/32", "::ffff:10.0.0.1", "::ffff:10.0.0.0/104"],
    };
    await resource.create(program);
    expect(await readServer(USER)).toMatchObject({
      token_policies: ["web", "app", "web"],
      token_bound_cidrs: ["2001:db8::1", "2001:db8::/32", "10.0.0.1", "10.0.0.0/8"],
    });
    await expectNoChanges(resource, program);
    expect(world.logged).toEqual([]);
  });

  test("takes a duration for the whole seconds that the server returns, also after a lost response", async () => {
    const { resource, readServer, world } = await scene(userpassUser);
    const program = { ...user, tokenTtl: "1500ms" };
    setFate(world, /^POST/, "response lost");
    await resource.create(program);
    letPass(world);
    expect(await readServer(USER)).toMatchObject({ token_ttl: 1 });
    await expectNoChanges(resource, program);
    expect(world.logged).toEqual([]);
  });

  test("keeps settings that the program does not manage, also those of other servers", async () => {
    const { resource, readServer, theirs } = await scene(userpassUser);
    await resource.create(user);
    await theirs(USER, { token_strictly_bind_ip: true, token_num_uses: 5 });
    await resource.update({ ...user, tokenPolicies: ["web"] });
    expect(await readServer(USER)).toMatchObject({ token_strictly_bind_ip: true, token_num_uses: 5 });
  });

  test("has problems in the preview for settings that batch tokens cannot have", async () => {
    const { problems } = await scene(userpassUser);
    const batch = { ...user, tokenType: "batch" };
    expect(problems(batch)).toEqual([]);
    for (const wrong of [{ tokenPeriod: "1h" }, { tokenNumUses: 1 }])
      expect(problems({ ...batch, ...wrong })).toEqual([expect.stringContaining("must not be set with")]);
    expect(problems({ ...user, tokenTtl: "2h", tokenMaxTtl: "1h" })).toEqual([
      expect.stringContaining("must not be longer"),
    ]);
  });

  test("names the auth method in the error if none is enabled at the path", async () => {
    const { resource } = await scene(userpassUser);
    await expect(resource.create({ ...user, authMount: "people" })).rejects.toThrow(
      "No auth method is enabled at people.",
    );
  });
});

describe("AppRole role", () => {
  test("has the role ID as an output, and a refresh shows a changed one", async () => {
    const { resource, readServer, theirs } = await scene(appRole);
    await resource.create(role);
    expect(resource.outputs.roleId).toBe((await readServer(`${ROLE}/role-id`)).role_id);
    await theirs(ROLE, { role_id: "another" });
    await resource.refresh();
    expect(resource.outputs.roleId).toBe("another");
    await expectNoChanges(resource, role);
  });

  test("is gone if it is deleted between the two requests of a read", async () => {
    const { resource, world, deleteAsOther } = await scene(appRole);
    await resource.create(role);
    world.fate = async ({ path }): Promise<Fate> => {
      if (path.endsWith("/role-id")) await deleteAsOther(ROLE);
      return "passes";
    };
    expect(await resource.refresh()).toBe(false);
  });

  test("is not read from a response without the role ID", async () => {
    const { resource, world } = await scene(appRole);
    await resource.create(role);
    world.transformResponse = ({ path }, answer) =>
      path.endsWith("/role-id") ? { ...answer, text: '{"data":{}}', json: { data: {} } } : answer;
    await expect(resource.refresh()).rejects.toThrow("with an object other than the requested object");
  });

  test("is replaced if its secret IDs become local", async () => {
    const { resource } = await scene(appRole);
    await resource.create(role);
    expect(resource.preview({ ...role, localSecretIds: true }).changes).toMatchObject([
      { path: ["localSecretIds"], replaces: true },
    ]);
  });

  test("has a problem in the preview with an address instead of a block, which the server rejects", async () => {
    const { resource, problems } = await scene(appRole);
    const wrong = { ...role, secretIdBoundCidrs: ["10.0.0.1"] };
    expect(problems(wrong)).toEqual([expect.stringContaining("must be a CIDR block")]);
    await expect(resource.create(wrong)).rejects.toThrow("failed to validate CIDR blocks");
    expect(problems({ ...role, secretIdBoundCidrs: ["10.0.0.1/32", "::1/128"] })).toEqual([]);
  });

  test("without any constraint is rejected by the server, and not in the state", async () => {
    const { resource, readServer } = await scene(appRole);
    await expect(resource.create({ ...role, bindSecretId: false })).rejects.toThrow(
      "at least one constraint",
    );
    expect(await readServer(ROLE)).toEqual({});
  });
});

test.each([
  ["a userpass user", userpassUser, user, "userpass"],
  ["an AppRole role", appRole, role, "approle"],
] as const)("%s moves with its auth method, without a request", async (_, definition, program, type) => {
  const { world, resource } = await scene(definition, { "sys/auth/old": { type } });
  const method = new Resource(world, authMethod);
  await method.create({ path: "old", type, adopt: true });
  await resource.create({ ...program, authMount: "old" });
  const places = new PlaceMemory();
  places.hasChecked = true;
  for (const one of [method, resource]) one.places = places;
  const moved = { ...program, authMount: "new" };
  method.preview({ path: "new", type, adopt: true });
  expect(resource.preview(moved).changes).toMatchObject([{ path: ["authMount"], replaces: false }]);
  await method.update({ path: "new", type, adopt: true });
  const sent = world.requests.filter(({ nature }) => nature !== "read").length;
  await resource.up(moved);
  expect(world.requests.filter(({ nature }) => nature !== "read")).toHaveLength(sent);
  expect(await resource.refresh()).toBe(true);
  expect(resource.id).toBe(`new/${"username" in program ? program.username : program.roleName}`);
});

import aclPolicy from "../../../provider/services/mesh/aclPolicy";
import aclRole from "../../../provider/services/mesh/aclRole";
import { changedPaths, expectNoChanges } from "../expectations";
import { scene } from "./objectScene";

const RULES = 'key_prefix "app/" { policy = "read" }';
const policy = { name: "app", rules: RULES };
const role = {
  name: "app",
  policies: ["read", "write"],
  serviceIdentities: [{ serviceName: "web", datacenters: ["dc2", "dc1"] }, { serviceName: "api" }],
  templatedPolicies: [{ templateName: "builtin/service", templateVariables: { name: "web" } }],
};

async function roleScene() {
  const made = await scene(aclRole);
  for (const Name of ["read", "write", "deny"]) await made.theirs("/v1/acl/policy", { Name, Rules: RULES });
  return made;
}

describe.each([
  ["Consul ACL policy", aclPolicy, policy, "policy", "policyId", { Name: "app", Rules: "" }],
  [
    "Consul ACL role",
    aclRole,
    { name: "app", description: "ours" },
    "role",
    "roleId",
    { Name: "app", Description: "theirs" },
  ],
] as const)("%s", (noun, definition, program, kind, id, theirs) => {
  const AT = `/v1/acl/${kind}`;

  test.each(["community", "enterprise"] as const)(
    "is created with a read and a write in the %s edition, whose response may have no namespace",
    async (edition) => {
      const { world, resource } = await scene(definition, { edition });
      await resource.create(program);
      expect(world.requests.map(({ method }) => method)).toEqual(["GET", "PUT"]);
    },
  );

  test("is not created if an object of its name exists, also if it appears after the search", async () => {
    const { world, resource, readServer, theirs: send } = await scene(definition);
    world.fate = async ({ method }): Promise<"passes"> => {
      if (method === "PUT") await send(AT, theirs);
      return "passes";
    };
    await expect(resource.create(program)).rejects.toThrow(new RegExp(`${noun} .*already exists`));
    expect(await readServer(`${AT}/name/app`)).toMatchObject(theirs);
    await expect(resource.create(program)).rejects.toThrow(new RegExp(`${noun} .*already exists`));
  });

  test("is not created if an object exists whose name differs only in case", async () => {
    const { resource, readServer, theirs: send } = await scene(definition);
    await send(AT, theirs);
    await expect(resource.create({ ...program, name: "App" })).rejects.toThrow(
      new RegExp(`${noun} .*already exists`),
    );
    expect(await readServer(`${AT}/name/APP`)).toMatchObject(theirs);
  });

  test("finds its own object by its name after a lost response", async () => {
    const { world, resource, readServer } = await scene(definition);
    world.fate = ({ method }) => {
      if (method !== "PUT") return "passes";
      world.fate = () => "passes";
      return "response lost";
    };
    await resource.create(program);
    expect(resource.outputs[id]).toBe(((await readServer(`${AT}/name/app`)) as { ID: string }).ID);
    expect(world.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  test("keeps its ID after a rename, and is only gone if Consul itself says so", async () => {
    const { world, resource, readServer, deleteAsOther, listed } = await scene(definition);
    await resource.create(program);
    const own = String(resource.outputs[id]);
    await resource.up({ ...program, name: "application" });
    expect(await readServer(`${AT}/${own}`)).toMatchObject({ Name: "application" });
    expect(await listed()).toEqual([expect.objectContaining({ id: resource.id, name: "application" })]);
    for (const text of ["", "ACL not found"]) {
      world.transformResponse = (_, answer) => ({ ...answer, status: 404, text, json: undefined });
      await expect(resource.refresh()).rejects.toThrow("404");
    }
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(`${AT}/${own}`);
    expect(await resource.refresh()).toBe(false);
  });
});

describe("Consul ACL role", () => {
  test("has policies and identities in any order", async () => {
    const { resource } = await roleScene();
    await resource.create(role);
    await expectNoChanges(resource, role);
    const [web, api] = role.serviceIdentities;
    const reordered = {
      ...role,
      policies: ["write", "read"],
      serviceIdentities: [api ?? {}, { ...web, datacenters: ["dc1", "dc2"] }],
    };
    expect(changedPaths(resource, reordered)).toEqual([]);
  });

  test("has policies by their names in any case, also after a lost response to its create", async () => {
    const { world, resource, readServer } = await roleScene();
    const program = { name: "app", policies: ["READ"] };
    world.fate = ({ method }) => {
      if (method !== "PUT") return "passes";
      world.fate = () => "passes";
      return "response lost";
    };
    await resource.create(program);
    await expectNoChanges(resource, program);
    expect(await readServer("/v1/acl/role/name/app")).toMatchObject({ Policies: [{ Name: "read" }] });
  });

  test("loses the identities that the program drops, and keeps those that it never had", async () => {
    const { resource, readServer, theirs } = await roleScene();
    await resource.create(role);
    const at = `/v1/acl/role/${String(resource.outputs.roleId)}`;
    const found = (await readServer(at)) as { [member: string]: never };
    await theirs(at, {
      Name: "app",
      Policies: found.Policies ?? null,
      ServiceIdentities: found.ServiceIdentities ?? null,
      TemplatedPolicies: found.TemplatedPolicies ?? null,
      NodeIdentities: [{ NodeName: "n1", Datacenter: "dc1" }],
    });
    await resource.up({ name: "app", policies: ["deny"] });
    const after = (await readServer(at)) as { [member: string]: unknown };
    expect(after).toMatchObject({ Policies: [{ Name: "deny" }], NodeIdentities: [{ NodeName: "n1" }] });
    expect([after.ServiceIdentities, after.TemplatedPolicies]).toEqual([undefined, undefined]);
  });

  test("is not written if someone else changed its policies", async () => {
    const { resource, readServer, theirs } = await roleScene();
    await resource.create({ name: "app", policies: ["read"] });
    const at = `/v1/acl/role/${String(resource.outputs.roleId)}`;
    await theirs(at, { Name: "app", Policies: [{ Name: "deny" }] });
    await expect(resource.update({ name: "app", policies: ["write"] })).rejects.toThrow(/conflict/);
    expect(await readServer(at)).toMatchObject({ Policies: [{ Name: "deny" }] });
  });
});

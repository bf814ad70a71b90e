import aclToken from "../../../provider/services/mesh/aclToken";
import { expectNoChanges, problemsOf, replacedBy } from "../expectations";
import { scene } from "./objectScene";

const accessorId = "5a3e1b1c-6b0e-4a55-9d2a-0c3c8f1f7a10";
const AT = `/v1/acl/token/${accessorId}`;
const program = { accessorId, description: "of the app" };

describe("Consul ACL token", () => {
  test("has the secret that Consul generates, and keeps it in an update", async () => {
    const { resource, readServer } = await scene(aclToken);
    await resource.create(program);
    const { SecretID } = (await readServer(AT)) as { SecretID: string };
    expect(resource.outputs.secretId).toBe(SecretID);
    await resource.up({ ...program, description: "again" });
    expect(resource.outputs.secretId).toBe(SecretID);
    await expectNoChanges(resource, { ...program, description: "again" });
  });

  test("is created once if the response is lost, and not if a token has its accessor ID", async () => {
    const { world, resource } = await scene(aclToken);
    world.fate = ({ method }) => {
      if (method !== "PUT") return "passes";
      world.fate = () => "passes";
      return "response lost";
    };
    await resource.create(program);
    expect(world.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
    const other = await scene(aclToken);
    other.world.fate = async ({ method }): Promise<"passes"> => {
      if (method === "PUT") await other.theirs("/v1/acl/token", { AccessorID: accessorId });
      return "passes";
    };
    await expect(other.resource.create(program)).rejects.toThrow(/Consul ACL token .*already exists/);
  });

  test("expires after a time that applies only to a new token", async () => {
    const { resource } = await scene(aclToken);
    await resource.create({ ...program, expirationTtl: "1h" });
    expect(resource.outputs.expirationTime).toMatch(/^\d{4}-/);
    for (const expirationTtl of ["2h", undefined]) {
      const { changes, notes } = resource.preview({ ...program, ...(expirationTtl && { expirationTtl }) });
      expect(changes).toEqual([]);
      expect(notes).toEqual([expect.stringContaining("only a create sends expirationTtl")]);
    }
    expect(resource.preview({ ...program, expirationTtl: "60m" }).notes).toEqual([]);
    await resource.up({ ...program, expirationTtl: "2h", description: "again" });
    await expectNoChanges(resource, { ...program, expirationTtl: "2h", description: "again" });
  });

  test("is replaced if it becomes local or gets another accessor ID", async () => {
    const { resource } = await scene(aclToken);
    await resource.create(program);
    expect(replacedBy(resource, { ...program, local: true })).toEqual(["local"]);
    const accessorId = "5a3e1b1c-6b0e-4a55-9d2a-0c3c8f1f7a19";
    expect(replacedBy(resource, { ...program, accessorId })).toEqual(["accessorId"]);
    for (const wrong of ["x", "00000000-0000-0000-0000-000000000009", accessorId.toUpperCase()])
      expect(problemsOf(resource, { ...program, accessorId: wrong })).toHaveLength(1);
  });

  test("keeps its secret in the state if Consul hides it from a token without acl:write", async () => {
    const { world, resource } = await scene(aclToken);
    await resource.create(program);
    const { secretId } = resource.outputs;
    world.transformResponse = (_, answer) => ({
      ...answer,
      json: { ...(answer.json as object), SecretID: "<hidden>" },
    });
    await expect(resource.refresh()).rejects.toThrow("acl:write");
    expect(resource.outputs.secretId).toBe(secretId);
  });

  test("is only gone if Consul itself says so", async () => {
    const { world, resource, deleteAsOther } = await scene(aclToken);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({
      ...answer,
      status: 403,
      text: "ACL not found",
      json: undefined,
    });
    await expect(resource.refresh()).rejects.toThrow("403");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(AT);
    expect(await resource.refresh()).toBe(false);
  });

  test("is not importable if Consul created it: the anonymous token", () => {
    const { list } = aclToken.life.reads;
    const apart = (AccessorID: string) => list?.whyUnmanageable?.({ AccessorID });
    expect(apart("00000000-0000-0000-0000-000000000002")).toContain("Consul creates this token itself");
    expect(apart(AT)).toBeUndefined();
  });
});

import cloudRootRotation from "../../../provider/services/secrets/cloudRootRotation";
import { oneTimeActions } from "../../steps/oneTimeActions";
import { Resource } from "../../steps/resource";
import { notesOfCreate } from "../expectations";

async function rotation(token: string) {
  const [, action] = oneTimeActions.find(([own]) => own === token) ?? [];
  if (action === undefined) throw new Error(`no action ${token}`);
  const { world, program } = await action.scene();
  return { world, program, resource: new Resource(world, action.definition), definition: action.definition };
}

const headers = { "x-secrets-token": "root", "content-type": "application/json" };

describe("AWS root key rotation", () => {
  test("outputs the new access key of the server", async () => {
    const { world, program, resource } = await rotation("secrets:CloudRootRotation");
    await resource.create(program);
    expect(resource.id).toBe("cloud");
    const { json } = await world.send("GET", "/v1/cloud/config/root", undefined, headers);
    expect(resource.outputs.accessKey).toMatch(/^AKIA/);
    expect(json).toMatchObject({ data: { access_key: resource.outputs.accessKey } });
  });

  test("sends the request to its mount", async () => {
    const { world, resource } = await rotation("secrets:CloudRootRotation");
    await expect(resource.create({ mount: "aws/eu" })).rejects.toThrow("no handler for route");
    expect(world.requests.map(({ path }) => path)).toEqual(["/v1/aws/eu/config/rotate-root"]);
  });

  test("has a note in the preview that the key must be the only one of its user", () => {
    const notes = notesOfCreate(cloudRootRotation, {});
    expect(notes).toEqual([expect.stringContaining("must be the only access key of its IAM user")]);
  });

  test("fails with the server's message if the user has a second key", async () => {
    const { world, program, resource } = await rotation("secrets:CloudRootRotation");
    world.stub.configure({ rootUserKeys: 2 });
    await expect(resource.create(program)).rejects.toThrow(/returned 500.*access key/s);
    expect(world.requests).toHaveLength(1);
  });
});

describe("LDAP static role rotation", () => {
  test("changes the time of the role's last rotation", async () => {
    const { world, program, resource } = await rotation("secrets:DirectoryRoleRotation");
    const last = async () => {
      const { json } = await world.send("GET", "/v1/ldap/static-role/db", undefined, headers);
      return (json as { data: { last_vault_rotation: string } }).data.last_vault_rotation;
    };
    const before = await last();
    await resource.create(program);
    expect(await last()).not.toBe(before);
    expect(resource.id).toBe("ldap/db");
  });

  test("fails without a write if the role does not exist", async () => {
    const { world, resource } = await rotation("secrets:DirectoryRoleRotation");
    await expect(resource.create({ roleName: "none" })).rejects.toThrow("static-role/none returned 404");
    expect(world.requests.every(({ nature }) => nature === "read")).toBe(true);
  });
});

test("a deletion of the recovery key backup has a note in the preview that it is permanent", async () => {
  const { definition } = await rotation("secrets:RecoveryBackupDeletion");
  expect(notesOfCreate(definition, {})).toEqual([expect.stringContaining("cannot be recreated")]);
});

test("a rotation of the LDAP bind password has a note in the preview that only the server will know it", async () => {
  const { definition } = await rotation("secrets:DirectoryRootRotation");
  expect(notesOfCreate(definition, {})).toEqual([
    expect.stringContaining("only the server knows the new password"),
  ]);
});

import cloudRootRotation from "../../../provider/services/secrets/cloudRootRotation";
import { deeds } from "../../steps/deeds";
import { Resource } from "../../steps/resource";
import { notesOfCreate } from "../expectations";

async function rotation(token: string) {
  const [, deed] = deeds.find(([own]) => own === token) ?? [];
  if (deed === undefined) throw new Error(`no deed ${token}`);
  const { world, program } = await deed.scene();
  return { world, program, resource: new Resource(world, deed.definition), definition: deed.definition };
}

const headers = { "x-secrets-token": "root", "content-type": "application/json" };

describe("a rotation of the cloud root", () => {
  test("tells the new access key, which is then the service's", async () => {
    const { world, program, resource } = await rotation("secrets:CloudRootRotation");
    await resource.create(program);
    expect(resource.id).toBe("cloud");
    const { json } = await world.send("GET", "/v1/cloud/config/root", undefined, headers);
    expect(resource.outputs.accessKey).toMatch(/^AKIA/);
    expect(json).toMatchObject({ data: { access_key: resource.outputs.accessKey } });
  });

  test("acts on the engine of its mount", async () => {
    const { world, resource } = await rotation("secrets:CloudRootRotation");
    await expect(resource.create({ mount: "aws/eu" })).rejects.toThrow("no handler for route");
    expect(world.requests.map(({ path }) => path)).toEqual(["/v1/aws/eu/config/rotate-root"]);
  });

  test("says in the preview that the key must be its user's only one", () => {
    const notes = notesOfCreate(cloudRootRotation, {});
    expect(notes).toEqual([expect.stringContaining("must be the only access key of its user")]);
  });

  test("that the service refuses for another key of the user is an error with the service's words", async () => {
    const { world, program, resource } = await rotation("secrets:CloudRootRotation");
    world.stub.configure({ rootUserKeys: 2 });
    await expect(resource.create(program)).rejects.toThrow(/answered 500.*access key/s);
    expect(world.requests).toHaveLength(1);
  });
});

describe("a rotation of a directory role", () => {
  test("moves the role's last rotation", async () => {
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

  test("of a role that does not exist is refused before anything is sent", async () => {
    const { world, resource } = await rotation("secrets:DirectoryRoleRotation");
    await expect(resource.create({ roleName: "none" })).rejects.toThrow("static-role/none answered 404");
    expect(world.requests.every(({ nature }) => nature === "read")).toBe(true);
  });
});

test("the deletion of a recovery key backup says in the preview that nothing brings it back", async () => {
  const { definition } = await rotation("secrets:RecoveryBackupDeletion");
  expect(notesOfCreate(definition, {})).toEqual([expect.stringContaining("cannot be made again")]);
});

test("a rotation of the bind password says in the preview who will know it", async () => {
  const { definition } = await rotation("secrets:DirectoryRootRotation");
  expect(notesOfCreate(definition, {})).toEqual([expect.stringContaining("known to the service alone")]);
});

import { formatRecords, RECORDS } from "../../../provider/core/state/records";
import workspace from "../../../provider/services/workspaces/workspace";
import workspaceSshKey from "../../../provider/services/workspaces/workspaceSshKey";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";

const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };
const program = { workspaceId: WORKSPACE_ID, sshKeyId: "sshkey-deploy" };

function key() {
  const world = workspaceWorld(workspaceSshKey);
  const held = async () => {
    const { json } = await world.send("GET", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, headers);
    // The stub answers a JSON:API document.
    const { data } = json as { data: { relationships: { "ssh-key": { data: { id: string } | null } } } };
    return data.relationships["ssh-key"].data?.id;
  };
  return { world, held, resource: new Resource(world, workspaceSshKey) };
}

describe("the SSH key of a workspace", () => {
  test("is assigned, changed in place, and unassigned by a delete", async () => {
    const { world, held, resource } = key();
    await resource.create(program);
    expect(await held()).toBe("sshkey-deploy");
    await resource.up({ ...program, sshKeyId: "sshkey-modules" });
    expect(await held()).toBe("sshkey-modules");
    await resource.delete();
    expect(await held()).toBeUndefined();
    expect(world.requests.filter(({ nature }) => nature !== "read").map(({ body }) => body)).toEqual(
      ["sshkey-deploy", "sshkey-modules", null].map((id) => ({
        data: { type: "workspaces", attributes: { id } },
      })),
    );
  });

  test("that is there already is left alone, unless the program adopts it", async () => {
    const { held, resource, world } = key();
    await resource.create(program);
    const other = new Resource(world.another(), workspaceSshKey);
    const theirs = { ...program, sshKeyId: "sshkey-modules" };
    await expect(other.create(theirs)).rejects.toThrow("already exists");
    expect(await held()).toBe("sshkey-deploy");
    await other.create({ ...theirs, adopt: true });
    expect(await held()).toBe("sshkey-modules");
  });

  test("that the workspace's own sshKeyId manages already is told, and which key that is", async () => {
    const { world, resource } = key();
    const own = new Resource(world.another(), workspace);
    await own.get(WORKSPACE_ID);
    await own.up({ name: "app", sshKeyId: "sshkey-deploy" });
    await expect(resource.create(program)).rejects.toThrow(
      /has the SSH key sshkey-deploy already; if its own sshKeyId is written, drop one of the two: one manager each/,
    );
  });

  test("that this resource manages is a conflict for a workspace that begins to write its own", async () => {
    const { world, held, resource } = key();
    const own = new Resource(world.another(), workspace);
    await own.get(WORKSPACE_ID);
    await resource.create(program);
    await expect(own.up({ name: "app", sshKeyId: "sshkey-modules" })).rejects.toThrow(
      /sshKeyId +\(none\) +"sshkey-modules" +"sshkey-deploy"/,
    );
    expect(await held()).toBe("sshkey-deploy");
  });

  test("says in the preview that it must be the only manager of the key", () => {
    expect(workspaceSshKey.notes?.({ step: "create", inputs: program, changed: [] })).toEqual([
      expect.stringContaining("one manager each"),
    ]);
  });

  test("of a workspace that is gone, by its organization's list, is gone with it", async () => {
    const { world, resource } = key();
    await resource.create(program);
    await world.send("DELETE", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, headers);
    expect(await resource.refresh()).toBe(false);
  });

  test("of a workspace that this token merely may not read any more is not taken for gone", async () => {
    const { world, resource } = key();
    await resource.create(program);
    world.stub.seed({
      tokens: { owner: { user: "olga", organizations: { other: ["owners"] } } },
      organizations: { other: {} },
    });
    await expect(resource.refresh()).rejects.toThrow("answered 404");
  });

  test("in a state of an earlier version learns its organization in a refresh, which a proof needs later", async () => {
    const { world, resource } = key();
    await resource.create(program);
    const { organization: _, ...address } = resource.record.address;
    resource.outputs = { ...resource.outputs, [RECORDS]: formatRecords({ ...resource.record, address }) };
    await resource.refresh();
    await world.send("DELETE", `/api/v2/workspaces/${WORKSPACE_ID}`, undefined, headers);
    expect(await resource.refresh()).toBe(false);
  });

  test("that the organization does not have is refused with the service's words", async () => {
    const { resource } = key();
    await expect(resource.create({ ...program, sshKeyId: "sshkey-none" })).rejects.toThrow("answered 404");
    expect(resource.id).toBe("");
  });
});

import hostVolumeRegistration from "../../../provider/services/scheduler/hostVolumeRegistration";
import { expectNoChanges, replacedBy } from "../expectations";
import { scene } from "./scene";

const program = {
  name: "archive",
  nodeId: "00000000-0000-0000-0000-000000000002",
  hostPath: "/srv/archive",
  capabilities: [{ accessMode: "single-node-reader-only", attachmentMode: "file-system" }],
};

describe("Nomad host volume registration", () => {
  test("keeps its ID in an update of the path, and is replaced for another node or name", async () => {
    const { resource, readServer } = await scene(hostVolumeRegistration);
    await resource.create(program);
    const { id } = resource;
    const moved = { ...program, hostPath: "/srv/other", capacityBytes: 1000 };
    await resource.up(moved);
    expect(resource.id).toBe(id);
    expect(await readServer(`/v1/volume/host/${resource.outputs.volumeId}`)).toMatchObject({
      HostPath: "/srv/other",
      CapacityBytes: 1000,
    });
    await expectNoChanges(resource, moved);
    const other = "00000000-0000-0000-0000-000000000001";
    expect(replacedBy(resource, { ...moved, nodeId: other })).toEqual(["nodeId"]);
    expect(replacedBy(resource, { ...moved, name: "other" })).toEqual(["name"]);
  });

  test("is deleted from Nomad", async () => {
    const { resource, listed } = await scene(hostVolumeRegistration);
    await resource.create(program);
    expect(await listed()).toEqual([expect.objectContaining({ id: resource.id, name: "archive" })]);
    await resource.delete();
    expect(await listed()).toEqual([]);
  });
});

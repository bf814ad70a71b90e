import { Scene, scene, TOKENS } from "./scheduler-scene";

const AT = "/volume/host";
const NODES = ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"];
const DATA = { Name: "data", PluginID: "mkdir" };
const created = async (Volume: object) => (await scene.send("PUT", `${AT}/create`, { Volume })).body.Volume;

describe("dynamic host volumes", () => {
  test("get an ID, a node and a path, and can be read, listed and deleted", async () => {
    const volume = await created(DATA);
    expect(volume).toMatchObject({
      ...DATA,
      ID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      Namespace: "default",
      NodeID: NODES[0],
      NodePool: "default",
      State: "pending",
      RequestedCapabilities: [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }],
    });
    const at = `${AT}/${volume.ID}`;
    expect((await scene.get(at)).body).toMatchObject({ ID: volume.ID, State: "ready" });
    const { body } = await scene.get("/volumes?type=host&prefix=da");
    expect(body).toEqual([expect.objectContaining({ ID: volume.ID, Name: "data" })]);
    expect((await scene.get("/volumes?type=host&namespace=team-web")).body).toEqual([]);
    expect((await scene.get("/volumes")).body).toEqual([]);
    expect((await scene.send("DELETE", `${at}/delete`)).status).toBe(200);
    expect(await scene.get(at)).toMatchObject({ status: 404, body: "volume not found" });
    expect(await scene.send("DELETE", `${at}/delete`)).toMatchObject({
      status: 500,
      body: `no such volume: ${volume.ID}`,
    });
  });

  test("are ready after a time, if the mock server is told so", async () => {
    const slow = new Scene({ volumeMilliseconds: 1000 });
    const { body } = await slow.send("PUT", `${AT}/create`, { Volume: DATA });
    const state = async () => (await slow.get(`${AT}/${body.Volume.ID}`)).body.State;
    expect(await state()).toBe("pending");
    slow.clock.advance(1000);
    expect(await state()).toBe("ready");
  });

  test("keep their node in an update, which replaces everything else", async () => {
    const volume = await created({ ...DATA, Parameters: { mode: "0755" }, NodeID: NODES[1] });
    const { body } = await scene.send("PUT", `${AT}/create`, { Volume: { ...DATA, ID: volume.ID } });
    expect(body.Volume).toMatchObject({ NodeID: NODES[1], RequestedCapabilities: null });
    expect(body.Volume).not.toHaveProperty("Parameters");
  });

  test("have a name of their own on each node", async () => {
    const nodes = [await created(DATA), await created(DATA), await created(DATA)].map(({ NodeID }) => NodeID);
    expect(new Set(nodes).size).toBe(3);
    for (const [Volume, body] of [
      [DATA, 'could not place volume "data": no node meets constraints: 3 nodes had existing volume'],
      [{ ...DATA, NodeID: NODES[0] }, "HostVolume.Create error: volume name already exists on this node"],
      [{ ...DATA, NodeID: "x" }, 'node "x" does not exist'],
      [{ ...DATA, Name: "other", PluginID: "disk" }, "3 nodes were infeasible"],
      [{ ...DATA, ID: NODES[0] }, `cannot update volume "${NODES[0]}": volume does not exist`],
      [{ ...DATA, Name: "other", Parameters: { size: "1" } }, 'unknown mkdir parameter: "size"'],
    ] as const)
      expect(await scene.send("PUT", `${AT}/create`, { Volume })).toMatchObject({
        status: 500,
        body: expect.stringContaining(body),
      });
    expect((await scene.get("/volumes?type=host", { as: TOKENS.reader })).status).toBe(403);
  });

  test("are neither changed nor deleted while an allocation mounts them", async () => {
    const volume = await created(DATA);
    await scene.send("POST", "/jobs", {
      Job: {
        ID: "web",
        Datacenters: ["dc1"],
        TaskGroups: [
          {
            Name: "web",
            Volumes: { data: { Type: "host", Source: "data" } },
            Tasks: [{ Name: "web", Driver: "exec", Config: { command: "web" } }],
          },
        ],
      },
    });
    scene.clock.advance(1000);
    const { body } = await scene.get(`${AT}/${volume.ID}`);
    expect(body.Allocations).toEqual([expect.objectContaining({ JobID: "web", DesiredStatus: "run" })]);
    const update = await scene.send("PUT", `${AT}/create`, { Volume: { ...DATA, ID: volume.ID } });
    expect(update).toMatchObject({
      status: 500,
      body: expect.stringContaining("cannot update a volume in use"),
    });
    const removal = await scene.send("DELETE", `${AT}/${volume.ID}/delete`);
    expect(removal).toMatchObject({ status: 500, body: expect.stringContaining("in use by allocations: [") });
  });

  test("can be registered with a path of their node", async () => {
    const path = { Name: "old", NodeID: NODES[1], HostPath: "/srv/old", CapacityBytes: 5 };
    const register = (Volume: object) => scene.send("PUT", `${AT}/register`, { Volume });
    const { body } = await register(path);
    expect(body.Volume).toMatchObject({ ...path, PluginID: "", NodePool: "", Namespace: "default" });
    expect((await scene.get(`${AT}/${body.Volume.ID}`)).body.NodePool).toBe("default");
    const changed = { ...path, ID: body.Volume.ID, HostPath: "/srv/new" };
    expect((await register(changed)).body.Volume).toMatchObject(changed);
    for (const [Volume, problem] of [
      [{ ...path, NodeID: "" }, "cannot register volume: node ID is required"],
      [{ ...path, HostPath: "" }, "cannot register volume: host path is required"],
      [path, "HostVolume.Register error: volume name already exists on this node"],
    ] as const)
      expect(await register(Volume)).toMatchObject({ status: 500, body: problem });
  });
});

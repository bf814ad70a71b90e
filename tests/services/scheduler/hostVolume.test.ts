import { CommandWrites } from "../../../provider/core/language/commandWrites";
import type { Json } from "../../../provider/core/value/json";
import hostVolume from "../../../provider/services/scheduler/hostVolume";
import { StubClock } from "../../../testing/stub/clock";
import { put } from "../../steps/subjects/schedulerScene";
import type { World } from "../../steps/world";
import { expectNoChanges, replacedBy } from "../expectations";
import { scene } from "./scene";

const node = "00000000-0000-0000-0000-000000000001";
const capabilities = [{ accessMode: "single-node-writer", attachmentMode: "file-system" }];
const program = { name: "data", pluginId: "mkdir", nodeId: node, capabilities };
const { nodeId: _, ...anywhere } = program;
const AT = "/v1/volume/host";
const Volume = {
  Name: "data",
  PluginID: "mkdir",
  RequestedCapabilities: [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }],
};

/** A job whose allocation runs on the first node and mounts the volume. */
const job = {
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
};

async function volumeScene(switches: object = {}) {
  const made = await scene(hostVolume, switches);
  const { world } = made;
  const clock = new StubClock(() => 1_795_000_000_000);
  world.clock = clock;
  world.onSleep = (milliseconds) => clock.advance(milliseconds);
  const volumes = async () => {
    const found = await made.readServer("/v1/volumes?type=host");
    // The stub returns a list.
    return found as unknown as readonly { ID: string; Name: string; NodeID: string }[];
  };
  const createAsOther = (body: Json) => put(world, `${AT}/create`, { Volume: body });
  return { ...made, volumes, clock, createAsOther };
}

/** Loses the response to the first write, and does something else in the meantime. */
function loseResponse(world: World, meanwhile?: () => Promise<void>): void {
  let isLost = false;
  world.fate = async ({ method }) => {
    if (method !== "PUT" || isLost) return "passes";
    isLost = true;
    await meanwhile?.();
    return "response lost";
  };
}

describe("Nomad host volume", () => {
  test("has the ID, the node and the path that Nomad chooses", async () => {
    const { resource } = await volumeScene();
    await resource.create(anywhere);
    expect(resource.outputs).toMatchObject({
      volumeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      nodeId: node,
      nodePool: "default",
      hostPath: expect.stringContaining("host_volumes"),
    });
    await expectNoChanges(resource, anywhere);
  });

  test("gets another plugin in place, because a replacement would delete its data", async () => {
    const { resource, readServer, volumes } = await volumeScene();
    await resource.create(program);
    const moved = { ...program, pluginId: "disk" };
    const { changes, notes } = resource.preview(moved);
    expect(changes).toMatchObject([{ path: ["pluginId"], replaces: false }]);
    expect(notes).toEqual([expect.stringContaining("data that the plugin mkdir created")]);
    const { id } = resource;
    await resource.up(moved);
    expect(resource.id).toBe(id);
    expect(await volumes()).toHaveLength(1);
    expect(await readServer(`${AT}/${resource.outputs.volumeId}`)).toMatchObject({ PluginID: "disk" });
    await expectNoChanges(resource, moved);
  });

  test("is replaced for another name or node, and changed in place otherwise", async () => {
    const { resource, readServer } = await volumeScene();
    await resource.create(program);
    for (const [property, value] of [
      ["name", "other"],
      ["nodeId", "00000000-0000-0000-0000-000000000002"],
      ["nodePool", "gpu"],
    ] as const)
      expect(replacedBy(resource, { ...program, [property]: value })).toEqual([property]);
    const changed = {
      ...program,
      capacityMinBytes: 1000,
      capacityMaxBytes: 2000,
      parameters: { mode: "0755" },
    };
    const { id } = resource;
    await resource.up(changed);
    expect(resource.id).toBe(id);
    expect(await readServer(`${AT}/${resource.outputs.volumeId}`)).toMatchObject({
      RequestedCapacityMaxBytes: 2000,
      Parameters: { mode: "0755" },
    });
    await expectNoChanges(resource, changed);
  });

  test("has a note that a replacement deletes its data, and how to keep it if its node moved to another pool", async () => {
    const { resource, world } = await volumeScene();
    const pooled = { ...anywhere, nodePool: "default" };
    await resource.create(pooled);
    // Nomad changes the pool of the volume with the pool of its node.
    world.transformResponse = (_, answer) => {
      const text = answer.text.replace('"NodePool":"default"', '"NodePool":"gpu"');
      return { ...answer, text, json: JSON.parse(text) };
    };
    await resource.refresh();
    expect(replacedBy(resource, pooled)).toEqual(["nodePool"]);
    expect(resource.preview(pooled).notes).toEqual([
      "the replacement deletes the volume with its data; to keep it, set nodePool to gpu, the pool of its node",
    ]);
    expect(resource.preview({ ...pooled, nodePool: "gpu" })).toMatchObject({ changes: [], notes: [] });
    expect(resource.preview({ ...pooled, nodePool: "gpu", name: "other" }).notes).toEqual([
      "the replacement deletes the volume with its data",
    ]);
  });

  test("is not created if its node has a volume of the name", async () => {
    const { resource, createAsOther, volumes } = await volumeScene();
    await createAsOther({ ...Volume, NodeID: node });
    await expect(resource.create(program)).rejects.toThrow(/Nomad host volume .*already exists/);
    expect(await volumes()).toHaveLength(1);
  });

  test("may have the name of a volume on another node", async () => {
    const { resource, createAsOther, volumes } = await volumeScene();
    await createAsOther({ ...Volume, NodeID: "00000000-0000-0000-0000-000000000002" });
    await resource.create(program);
    expect(await volumes()).toHaveLength(2);
  });

  test("finds its own volume after a lost response, and never takes an older one", async () => {
    const { resource, createAsOther, volumes, world } = await volumeScene();
    await createAsOther(Volume);
    const [older] = await volumes();
    loseResponse(world);
    await resource.create(anywhere);
    expect(resource.outputs.volumeId).not.toBe(older?.ID);
    expect(await volumes()).toHaveLength(2);
  });

  test("fails if two new volumes have its name after a lost response", async () => {
    const { resource, createAsOther, world } = await volumeScene();
    loseResponse(world, () => createAsOther(Volume));
    await expect(resource.create(anywhere)).rejects.toThrow(/2 new volumes have this name/);
  });

  test("is neither changed nor deleted while an allocation uses it, and the error says that the job must stop", async () => {
    const { resource, theirs, clock, volumes } = await volumeScene();
    await resource.create(program);
    await theirs("/v1/jobs", job);
    clock.advance(1000);
    const changed = { ...program, capacityMaxBytes: 5000 };
    await expect(resource.up(changed)).rejects.toThrow(
      /in use.*stop the jobs whose allocations use the volume first/s,
    );
    await expect(resource.delete()).rejects.toThrow(
      /in use.*stop the jobs whose allocations use the volume first/s,
    );
    expect(await volumes()).toHaveLength(1);
  });

  test("is deleted once the allocations of a stopped job have ended", async () => {
    const { resource, theirs, deleteAsOther, clock, volumes, world } = await volumeScene();
    await resource.create(program);
    await theirs("/v1/jobs", job);
    clock.advance(1000);
    await deleteAsOther("/v1/job/web");
    clock.advance(60);
    world.writes = new CommandWrites(() => clock.now());
    await resource.delete();
    expect(await volumes()).toEqual([]);
    expect(world.logged.some((text) => text.includes("waits for the allocations"))).toBe(true);
  });

  test("is only gone if Nomad itself says so", async () => {
    const { resource, world, deleteAsOther } = await volumeScene();
    await resource.create(program);
    world.transformResponse = (_, answer) => ({ ...answer, status: 404, text: "", json: undefined });
    await expect(resource.refresh()).rejects.toThrow("404");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(`${AT}/${resource.outputs.volumeId}`);
    expect(await resource.refresh()).toBe(false);
  });

  test("has a problem in the preview for a minimum capacity without a maximum as large", async () => {
    const { resource, problems } = await volumeScene();
    for (const most of [{}, { capacityMaxBytes: 999 }, { capacityMaxBytes: 0 }]) {
      const small = { ...program, capacityMinBytes: 1000, ...most };
      expect(problems(small)).toEqual([expect.stringMatching(/^capacityMaxBytes: .*must be at least/)]);
      await expect(resource.create(small)).rejects.toThrow(/capacity_max \(\d+\) must be larger/);
    }
    for (const range of [{ capacityMaxBytes: 1 }, { capacityMinBytes: 5, capacityMaxBytes: 5 }])
      expect(problems({ ...program, ...range })).toEqual([]);
  });

  test("is listed by its ID, with its name", async () => {
    const { resource, listed } = await volumeScene();
    await resource.create(program);
    expect(await listed()).toEqual([expect.objectContaining({ id: resource.id, name: "data" })]);
  });
});

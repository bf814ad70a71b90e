import { verdictOf } from "../../../cli/drift/verdict";
import { Snapshots } from "../../../provider/core/requests/shared/snapshots";
import job from "../../../provider/services/scheduler/job";
import { hostOf } from "../../core/bridge/host";
import { Resource } from "../../steps/resource";
import { JobScene } from "./job-scene";

const spec = {
  id: "import",
  type: "batch",
  taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }],
};

describe.each(["neutral", "real"] as const)("a batch job in the dialect %s", (dialect) => {
  const scene = () => {
    const made = new JobScene({ dialect }, { switches: { dialect } });
    const header = dialect === "real" ? "x-nomad-token" : "x-sched-token";
    const ask = (method: string, path: string) =>
      made.world.send(method, path, undefined, { [header]: "manager" });
    return {
      scene: made,
      resource: made.resource,
      /** The job runs to its end, and the garbage collection removes it if it may. */
      finish: () => made.clock.advance(60_000),
      collect: async () => {
        await ask("PUT", "/v1/system/gc");
        return (await ask("GET", "/v1/job/import")).status;
      },
      stop: () => ask("DELETE", "/v1/job/import"),
    };
  };

  test("that finished and was garbage-collected is not registered again, until its inputs change", async () => {
    const { scene: made, resource, finish, collect } = scene();
    const { world } = made;
    await resource.create({ spec });
    const { length } = made.registers;
    finish();
    expect(await resource.refresh()).toBe(true);
    expect(await collect()).toBe(404);
    world.logged.length = 0;
    expect(await resource.refresh()).toBe(true);
    expect(world.logged.join("\n")).toContain("garbage collection has removed it");
    expect(resource.preview({ spec }).changes).toEqual([]);
    await resource.up({ spec });
    expect(made.registers).toHaveLength(length);
    const state = { id: resource.id, inputs: resource.inputs, outputs: resource.outputs, ignored: [] };
    expect(
      await verdictOf(
        job,
        hostOf(() => world.connection),
        state,
      ),
    ).toEqual({ verdict: "in sync" });
    // An option alone sends nothing.
    await resource.up({ spec, wait: "none" });
    expect(made.registers).toHaveLength(length);
    await resource.up({ spec: { ...spec, priority: 70 } });
    expect(made.registers).toHaveLength(length + 1);
    expect(made.registers.at(-1)).toMatchObject({ EnforceIndex: true, JobModifyIndex: 0n });
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview({ spec: { ...spec, priority: 70 } }).changes).toEqual([]);
  });

  test("that finished and was garbage-collected is deleted without an error", async () => {
    const { resource, finish, collect } = scene();
    await resource.create({ spec });
    finish();
    await resource.refresh();
    await collect();
    await resource.refresh();
    await resource.delete();
  });

  test("that was running when it was last read is missing", async () => {
    const { resource, finish, collect } = scene();
    await resource.create({ spec });
    finish();
    expect(await collect()).toBe(404);
    expect(await resource.refresh()).toBe(false);
  });

  test("that someone stopped is missing once it is removed", async () => {
    const { resource, finish, collect, stop } = scene();
    await resource.create({ spec });
    finish();
    await stop();
    finish();
    await resource.refresh();
    expect(await collect()).toBe(404);
    expect(await resource.refresh()).toBe(false);
  });

  test("is registered again after the garbage collection if the program asks for it", async () => {
    const { resource, finish, collect } = scene();
    await resource.create({ spec, rerunAfterGarbageCollection: true });
    finish();
    await resource.refresh();
    expect(await collect()).toBe(404);
    expect(await resource.refresh()).toBe(false);
  });

  test("that is read through a shared list is recorded as finished, too", async () => {
    const { scene: made, resource, finish, collect } = scene();
    const shared = new Resource(made.world, job);
    await resource.create({ spec });
    Object.assign(shared, { id: resource.id, outputs: resource.outputs, inputs: resource.inputs });
    shared.snapshots = new Snapshots(() => made.world.now);
    finish();
    await shared.refresh();
    await collect();
    shared.snapshots = new Snapshots(() => made.world.now);
    expect(await shared.refresh()).toBe(true);
  });
});

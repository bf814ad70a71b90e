import { verdictOf } from "../../../cli/drift/verdict";
import { Snapshots } from "../../../provider/core/requests/shared/snapshots";
import type { Json } from "../../../provider/core/value/json";
import job from "../../../provider/services/scheduler/job";
import { hostOf } from "../../core/bridge/host";
import { Resource } from "../../steps/resource";
import { refusal, setFate } from "../interference";
import { JobScene } from "./job-scene";

const spec = {
  id: "import",
  type: "batch",
  taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }],
};

describe.each(["neutral", "real"] as const)("a batch job (%s dialect)", (dialect) => {
  const scene = () => {
    const made = new JobScene({ dialect }, { switches: { dialect } });
    const header = dialect === "real" ? "x-nomad-token" : "x-sched-token";
    const ask = (method: string, path: string) =>
      made.world.send(method, path, undefined, { [header]: "manager" });
    return {
      scene: made,
      resource: made.resource,
      /** Lets the job run to its end; garbage collection may then remove it. */
      finish: () => made.clock.advance(60_000),
      collect: async () => {
        await ask("PUT", "/v1/system/gc");
        return (await ask("GET", "/v1/job/import")).status;
      },
      stop: () => ask("DELETE", "/v1/job/import"),
    };
  };

  test("is not registered again after it finished and was garbage-collected, until its inputs change", async () => {
    const { scene: made, resource, finish, collect } = scene();
    const { world } = made;
    await resource.create({ spec });
    const { length } = made.registers;
    finish();
    expect(await resource.refresh()).toBe(true);
    expect(await collect()).toBe(404);
    world.logged.length = 0;
    expect(await resource.refresh()).toBe(true);
    expect(world.logged.join("\n")).toContain("garbage collection has removed the job");
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
    // Changing only an option sends no registration.
    await resource.up({ spec, wait: "none" });
    expect(made.registers).toHaveLength(length);
    await resource.up({ spec: { ...spec, priority: 70 } });
    expect(made.registers).toHaveLength(length + 1);
    expect(made.registers.at(-1)).toMatchObject({ EnforceIndex: true, JobModifyIndex: 0n });
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview({ spec: { ...spec, priority: 70 } }).changes).toEqual([]);
  });

  test("is deleted without an error after it finished and was garbage-collected", async () => {
    const { resource, finish, collect } = scene();
    await resource.create({ spec });
    finish();
    await resource.refresh();
    await collect();
    await resource.refresh();
    await resource.delete();
  });

  test("is missing after garbage collection if it was running when it was last read", async () => {
    const { resource, finish, collect } = scene();
    await resource.create({ spec });
    finish();
    expect(await collect()).toBe(404);
    expect(await resource.refresh()).toBe(false);
  });

  test("is missing after garbage collection if someone else stopped it", async () => {
    const { resource, finish, collect, stop } = scene();
    await resource.create({ spec });
    finish();
    await stop();
    finish();
    await resource.refresh();
    expect(await collect()).toBe(404);
    expect(await resource.refresh()).toBe(false);
  });

  test("is registered again after it was garbage-collected with rerunAfterGarbageCollection: true", async () => {
    const { scene: made, resource, finish, collect } = scene();
    await resource.create({ spec, rerunAfterGarbageCollection: true });
    finish();
    await resource.refresh();
    expect(await collect()).toBe(404);
    expect(await resource.refresh()).toBe(false);
    await resource.create({ spec, rerunAfterGarbageCollection: true });
    expect(made.registers).toHaveLength(2);
  });

  test("is also recorded as finished if it is read through a shared list", async () => {
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

const groups = [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }];
const kinds = {
  periodic: { periodic: { spec: "0 0 1 1 *", specType: "cron" } },
  parameterized: { parameterizedJob: {} },
} as const;

const cases = (["neutral", "real"] as const).flatMap((dialect) =>
  (["periodic", "parameterized"] as const).map((kind) => [kind, dialect] as const),
);

describe.each(cases)("a %s job and its child jobs (%s dialect)", (kind, dialect) => {
  const spec = { id: "nightly", type: "batch", taskGroups: groups, ...kinds[kind] };

  const scene = async (program: { [property: string]: Json } = {}) => {
    const made = new JobScene({ dialect }, { switches: { dialect } });
    const header = dialect === "real" ? "x-nomad-token" : "x-sched-token";
    const ask = async (method: string, path: string, body?: Json) => {
      const answer = await made.world.send(method, path, body, {
        [header]: "manager",
        "content-type": "application/json",
      });
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.json;
    };
    await made.resource.create({ spec, ...program });
    const launch = async () =>
      kind === "periodic"
        ? await ask("POST", "/v1/job/nightly/periodic/force")
        : await ask("POST", "/v1/job/nightly/dispatch", {});
    const children = async () =>
      (
        (await ask("GET", "/v1/jobs?prefix=nightly%2F")) as { ID: string; Status: string; Stop: boolean }[]
      ).map(({ ID, Status, Stop }) => ({ ID, isOver: Status === "dead" || Stop }));
    made.world.logged.length = 0;
    return { made, launch, children };
  };

  test("is deleted with a warning that names the running child jobs", async () => {
    const { made, launch, children } = await scene();
    await launch();
    const [child] = await children();
    await made.resource.delete();
    expect(await children()).toEqual([{ ID: child?.ID, isOver: false }]);
    expect(made.world.logged).toHaveLength(1);
    expect(made.world.logged[0]).toContain(`1 child job is still running: "${child?.ID}"`);
  });

  test.each([false, true])(
    "is deleted together with its child jobs with stopChildren: true; purge: %s",
    async (purge) => {
      const { made, launch, children } = await scene({ stopChildren: true, purge });
      await launch();
      await made.resource.delete();
      const left = await children();
      expect(left.filter(({ isOver }) => !isOver)).toEqual([]);
      expect(left.length).toBe(purge ? 0 : 1);
      expect(made.world.logged).toEqual([]);
    },
  );

  test("cannot be deleted if a child job cannot be stopped, and a repeated delete stops that child job", async () => {
    const { made, launch, children } = await scene({ stopChildren: true });
    await launch();
    made.world.fate = ({ method, path }) =>
      method === "DELETE" && path.includes("%2F")
        ? { answer: { status: 403, text: "Permission denied" }, isCarriedOut: false }
        : "passes";
    await expect(made.resource.delete()).rejects.toThrow();
    made.world.fate = () => "passes";
    await made.resource.delete();
    expect((await children()).filter(({ isOver }) => !isOver)).toEqual([]);
  });

  test("is deleted with a warning if the list of its child jobs is denied", async () => {
    const { made } = await scene();
    setFate(made.world, /^GET \/v1\/jobs$/, refusal(403, "Permission denied"));
    await made.resource.delete();
    expect(made.world.logged.join("\n")).toContain("could not be listed");
  });

  test("is deleted without a warning if it has no child jobs", async () => {
    const { made } = await scene();
    await made.resource.delete();
    expect(made.world.logged).toEqual([]);
  });
});

test.each([true, false, undefined])(
  "a delete sends global=true only with global: true; global: %s",
  async (global) => {
    const made = new JobScene({ dialect: "neutral" }, { switches: { dialect: "neutral" } });
    await made.resource.create({
      spec: { id: "web", taskGroups: groups },
      ...(global !== undefined && { global }),
    });
    await made.resource.delete();
    const queries = made.world.requests.flatMap(({ method, query }) =>
      method === "DELETE" ? [query?.global] : [],
    );
    expect(queries).toEqual([global === true ? "true" : undefined]);
  },
);

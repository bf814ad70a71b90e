import { RECORDS } from "../../../provider/core/state/records";
import { isObject, type Json } from "../../../provider/core/value/json";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import { actAfter, setFate } from "../interference";
import { JobScene, web } from "./job-scene";

const updated = { ...web, Priority: 60 };
const again = { ...web, Priority: 70 };

/** What a job tells of its last register. */
const toldBy = ({ version, evalId, deploymentId }: { [property: string]: Json }) => ({
  version,
  evalId,
  deploymentId,
});

const NONE = { version: undefined, evalId: undefined, deploymentId: undefined };

/** The evaluations and deployments that the service keeps of the job, the oldest first. */
async function idsOf(scene: JobScene, of: "evaluations" | "deployments"): Promise<unknown[]> {
  const { json } = await scene.send("GET", `/v1/job/web/${of}`);
  const list = (Array.isArray(json) ? json : []).filter(isObject);
  return list.sort((a, b) => Number(a.CreateIndex) - Number(b.CreateIndex)).map(({ ID }) => ID);
}

/** A job that is registered. */
async function registered() {
  const scene = new JobScene();
  const { resource, world } = scene;
  await resource.create({ json: web });
  return { scene, resource, world };
}

describe("a job tells of its last register", () => {
  test("the version that it made, and its evaluation; another one with each", async () => {
    const { scene, resource } = await registered();
    const [first] = await idsOf(scene, "evaluations");
    expect(toldBy(resource.outputs)).toEqual({ version: 0, evalId: first, deploymentId: undefined });
    await resource.up({ json: updated });
    const { version, evalId } = toldBy(resource.outputs);
    expect(version).toBe(1);
    expect(await idsOf(scene, "evaluations")).toContain(evalId);
    expect(evalId).not.toBe(first);
  });

  test.each(["deployment", "evaluation"])("its deployment, where it waited for the %s", async (wait) => {
    const scene = new JobScene();
    scene.letTimePass();
    await scene.resource.create({ json: web, wait });
    const [deployment] = await idsOf(scene, "deployments");
    expect(deployment).toBeDefined();
    expect(scene.resource.outputs.deploymentId).toBe(deployment);
  });

  test("no evaluation where it starts none", async () => {
    const scene = new JobScene();
    await scene.resource.create({
      json: { ...web, Type: "batch", Periodic: { Enabled: true, Spec: "@daily", SpecType: "cron" } },
    });
    expect(toldBy(scene.resource.outputs)).toEqual({
      version: 0,
      evalId: undefined,
      deploymentId: undefined,
    });
  });

  test("nothing, where its answer was lost, and never what an earlier register told", async () => {
    const { scene, resource, world } = await registered();
    setFate(world, /^POST/, "response lost");
    await resource.up({ json: updated });
    expect(resource.outputs.jobModifyIndex).toBe(String((await scene.held()).JobModifyIndex));
    expect(toldBy(resource.outputs)).toEqual(NONE);
    world.fate = () => "passes";
    await resource.up({ json: again });
    expect(resource.outputs).toMatchObject({ version: 2, evalId: expect.any(String) });
  });

  test("nothing of a job that was taken over as it was", async () => {
    const scene = new JobScene();
    await scene.register(web);
    await scene.resource.create({ json: web, adopt: true });
    expect((await scene.held()).Version).toBe(0);
    expect(toldBy(scene.resource.outputs)).toEqual(NONE);
  });

  test("nothing of a deployment that it waited for and did not start", async () => {
    const scene = new JobScene();
    scene.letTimePass();
    await scene.register(web);
    await scene.resource.create({ json: web, adopt: true, wait: "deployment" });
    expect(await idsOf(scene, "deployments")).toHaveLength(1);
    expect(toldBy(scene.resource.outputs)).toEqual(NONE);
  });

  test("nothing of the version that somebody makes right after it by what is nobody's but theirs", async () => {
    const scene = new JobScene();
    const { resource, world } = scene;
    const group = { ...web.TaskGroups[0], Scaling: { Min: 1, Max: 9, Enabled: true } };
    actAfter(world, /^POST \/v1\/jobs$/, () =>
      scene.send("POST", "/v1/job/web/scale", { Count: 3, Target: { Group: "front" } }),
    );
    await resource.create({ json: { ...web, TaskGroups: [group] } });
    expect((await scene.held()).Version).toBe(1);
    expect(resource.outputs.version).toBeUndefined();
    expect(resource.outputs.evalId).toEqual(expect.any(String));
  });

  test("nothing of the version of somebody who registers right after it", async () => {
    const scene = new JobScene();
    const { resource, world } = scene;
    actAfter(world, /^POST \/v1\/jobs$/, () => scene.register({ ...web, Meta: { by: "another" } }));
    await resource.create({ json: web }).catch(() => undefined);
    expect((await scene.held()).Version).toBe(1);
    expect(resource.outputs.version).not.toBe(1);
  });
});

describe("what a job told", () => {
  test("stays while nothing is written: previews, ups and refreshes are quiet", async () => {
    const { scene, resource } = await registered();
    const before = { ...resource.outputs };
    await resource.refresh();
    expect(resource.outputs).toEqual(before);
    expect(await resource.up({ json: web })).toBe(false);
    expect(toldBy(resource.plan({ json: web }, resource.outputs) as typeof before)).toEqual(toldBy(before));
    // What only steers the provider writes nothing.
    await resource.up({ json: web, purge: true });
    expect(scene.registers).toHaveLength(1);
    expect(toldBy(resource.outputs)).toEqual(toldBy(before));
  });

  test("is no more known in the preview of a register", async () => {
    const { resource } = await registered();
    const plan = resource.plan({ json: updated }, resource.outputs);
    expect([plan.version, plan.evalId, plan.deploymentId]).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
  });

  test("is not moved by registers of others, which a refresh shows elsewhere", async () => {
    const { scene, resource } = await registered();
    const before = { ...resource.outputs };
    await scene.register({ ...web, Priority: 90 });
    await resource.refresh();
    expect(resource.outputs.jobModifyIndex).not.toBe(before.jobModifyIndex);
    expect(toldBy(resource.outputs)).toEqual(toldBy(before));
    expect((await scene.held()).Version).toBe(1);
  });

  test("is not added by a refresh to a state that an earlier version wrote, which stays to the byte", async () => {
    const { resource } = await registered();
    const { version: _, evalId: __, ...earlier } = resource.outputs;
    const { receipt: ___, ...records } = JSON.parse(String(earlier[RECORDS])) as { receipt: unknown };
    resource.outputs = { ...earlier, [RECORDS]: JSON.stringify(records) };
    const before = { ...resource.outputs };
    expect(resource.preview({ json: web }).changes).toEqual([]);
    await resource.refresh();
    expect(resource.outputs).toEqual(before);
    await resource.up({ json: updated });
    expect(resource.outputs).toMatchObject({ version: 1, evalId: expect.any(String) });
  });

  test("is kept by an up that goes on waiting, which then learns the deployment", async () => {
    const scene = new JobScene();
    const { resource } = scene;
    scene.letTimePass();
    const { fate } = scene.world;
    scene.world.fate = (request) =>
      request.path.endsWith("/deployments")
        ? { answer: { status: 403, text: "Permission denied" }, isCarriedOut: false }
        : fate(request);
    await expect(resource.create({ json: web, wait: "deployment" })).rejects.toThrow("Permission denied");
    const { evalId } = resource.outputs;
    expect(resource.isHalfDone).toBe(true);
    expect(evalId).toEqual(expect.any(String));
    scene.world.fate = fate;
    await resource.up({ json: web, wait: "deployment" });
    expect(toldBy(resource.outputs)).toEqual({
      version: 0,
      evalId,
      deploymentId: (await idsOf(scene, "deployments"))[0],
    });
    expect(scene.registers).toHaveLength(1);
  });
});

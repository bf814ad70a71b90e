import { RECORDS } from "../../../provider/core/state/records";
import { isObject, type Json } from "../../../provider/core/value/json";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import { actAfter, setFate } from "../interference";
import { JobScene, web } from "./job-scene";

const updated = { ...web, Priority: 60 };
const again = { ...web, Priority: 70 };

/** The outputs that describe the last registration. */
const registrationIn = ({ version, evalId, deploymentId }: { [property: string]: Json }) => ({
  version,
  evalId,
  deploymentId,
});

const NONE = { version: undefined, evalId: undefined, deploymentId: undefined };

/** The IDs of the job's evaluations or deployments on the server, oldest first. */
async function idsOf(scene: JobScene, of: "evaluations" | "deployments"): Promise<unknown[]> {
  const { json } = await scene.send("GET", `/v1/job/web/${of}`);
  const list = (Array.isArray(json) ? json : []).filter(isObject);
  return list.sort((a, b) => Number(a.CreateIndex) - Number(b.CreateIndex)).map(({ ID }) => ID);
}

/** A registered job. */
async function registered() {
  const scene = new JobScene();
  const { resource, world } = scene;
  await resource.create({ json: web });
  return { scene, resource, world };
}

describe("outputs of the last registration", () => {
  test("are the new version and evaluation of each registration", async () => {
    const { scene, resource } = await registered();
    const [first] = await idsOf(scene, "evaluations");
    expect(registrationIn(resource.outputs)).toEqual({ version: 0, evalId: first, deploymentId: undefined });
    await resource.up({ json: updated });
    const { version, evalId } = registrationIn(resource.outputs);
    expect(version).toBe(1);
    expect(await idsOf(scene, "evaluations")).toContain(evalId);
    expect(evalId).not.toBe(first);
  });

  test.each(["deployment", "evaluation"])(
    "include the deployment if the job waits for the %s",
    async (wait) => {
      const scene = new JobScene();
      scene.letTimePass();
      await scene.resource.create({ json: web, wait });
      const [deployment] = await idsOf(scene, "deployments");
      expect(deployment).toBeDefined();
      expect(scene.resource.outputs.deploymentId).toBe(deployment);
    },
  );

  test("do not include an evaluation if Nomad starts none", async () => {
    const scene = new JobScene();
    await scene.resource.create({
      json: { ...web, Type: "batch", Periodic: { Enabled: true, Spec: "@daily", SpecType: "cron" } },
    });
    expect(registrationIn(scene.resource.outputs)).toEqual({
      version: 0,
      evalId: undefined,
      deploymentId: undefined,
    });
  });

  test("are empty if a lost registration becomes visible between two attempts", async () => {
    const { scene, resource, world } = await registered();
    let [posts, reads] = [0, 0];
    world.fate = async ({ method }) => {
      if (method === "POST") {
        posts += 1;
        return "request lost";
      }
      if (posts === 2) reads += 1;
      // The probe after the second attempt is the first read, and the read before the third attempt the second one.
      if (reads === 2) await scene.send("POST", "/v1/jobs", { Job: updated });
      return "passes";
    };
    await resource.up({ json: updated });
    expect([posts, resource.outputs.jobModifyIndex]).toEqual([
      2,
      String((await scene.held()).JobModifyIndex),
    ]);
    expect(registrationIn(resource.outputs)).toEqual(NONE);
  });

  test("are empty if the response was lost, and do not keep values of an earlier registration", async () => {
    const { scene, resource, world } = await registered();
    setFate(world, /^POST/, "response lost");
    await resource.up({ json: updated });
    expect(resource.outputs.jobModifyIndex).toBe(String((await scene.held()).JobModifyIndex));
    expect(registrationIn(resource.outputs)).toEqual(NONE);
    world.fate = () => "passes";
    await resource.up({ json: again });
    expect(resource.outputs).toMatchObject({ version: 2, evalId: expect.any(String) });
  });

  test("are empty for a job that was adopted unchanged", async () => {
    const scene = new JobScene();
    await scene.register(web);
    await scene.resource.create({ json: web, adopt: true });
    expect((await scene.held()).Version).toBe(0);
    expect(registrationIn(scene.resource.outputs)).toEqual(NONE);
  });

  test("are empty for an adopted job that only waited for an existing deployment", async () => {
    const scene = new JobScene();
    scene.letTimePass();
    await scene.register(web);
    await scene.resource.create({ json: web, adopt: true, wait: "deployment" });
    expect(await idsOf(scene, "deployments")).toHaveLength(1);
    expect(registrationIn(scene.resource.outputs)).toEqual(NONE);
  });

  test("do not include a version that someone else creates by scaling right after the registration", async () => {
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

  test("do not include a version that someone else registers right after the registration", async () => {
    const scene = new JobScene();
    const { resource, world } = scene;
    actAfter(world, /^POST \/v1\/jobs$/, () => scene.register({ ...web, Meta: { by: "another" } }));
    await resource.create({ json: web }).catch(() => undefined);
    expect((await scene.held()).Version).toBe(1);
    expect(resource.outputs.version).not.toBe(1);
  });
});

describe("stored outputs of the last registration", () => {
  test("stay unchanged in previews, updates and refreshes that write nothing", async () => {
    const { scene, resource } = await registered();
    const before = { ...resource.outputs };
    await resource.refresh();
    expect(resource.outputs).toEqual(before);
    expect(await resource.up({ json: web })).toBe(false);
    expect(registrationIn(resource.plan({ json: web }, resource.outputs) as typeof before)).toEqual(
      registrationIn(before),
    );
    // Changing only a provider option sends no registration.
    await resource.up({ json: web, purge: true });
    expect(scene.registers).toHaveLength(1);
    expect(registrationIn(resource.outputs)).toEqual(registrationIn(before));
  });

  test("are unknown in the preview of an update", async () => {
    const { resource } = await registered();
    const plan = resource.plan({ json: updated }, resource.outputs);
    expect([plan.version, plan.evalId, plan.deploymentId]).toEqual([UNKNOWN, UNKNOWN, UNKNOWN]);
  });

  test("do not change if someone else registers the job; a refresh updates jobModifyIndex", async () => {
    const { scene, resource } = await registered();
    const before = { ...resource.outputs };
    await scene.register({ ...web, Priority: 90 });
    await resource.refresh();
    expect(resource.outputs.jobModifyIndex).not.toBe(before.jobModifyIndex);
    expect(registrationIn(resource.outputs)).toEqual(registrationIn(before));
    expect((await scene.held()).Version).toBe(1);
  });

  test("are not added by a refresh to the state of an earlier version, which does not change", async () => {
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

  test("stay the same in an update that continues a wait, which adds the deployment", async () => {
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
    expect(registrationIn(resource.outputs)).toEqual({
      version: 0,
      evalId,
      deploymentId: (await idsOf(scene, "deployments"))[0],
    });
    expect(scene.registers).toHaveLength(1);
  });
});

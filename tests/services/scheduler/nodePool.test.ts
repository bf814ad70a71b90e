import nodePool from "../../../provider/services/scheduler/nodePool";
import { changedPaths, expectNoChanges, notesOfCreate } from "../expectations";
import { web } from "./job-scene";
import { scene } from "./scene";

const AT = "/v1/node/pool/gpu";
const program = { name: "gpu", description: "with accelerators" };

describe("Nomad node pool", () => {
  test("is not written if someone else changed a managed property since the last read", async () => {
    const { resource, readServer, changeAsOther } = await scene(nodePool);
    await resource.create(program);
    await changeAsOther(AT, "Description", "theirs");
    await expect(resource.update({ ...program, description: "ours" })).rejects.toThrow(/conflict/);
    expect(await readServer(AT)).toMatchObject({ Description: "theirs" });
  });

  test("keeps what others manage at an update, although a write replaces the node pool", async () => {
    const { resource, readServer, theirs } = await scene(nodePool);
    await resource.create(program);
    await theirs(AT, {
      Name: "gpu",
      Description: "with accelerators",
      Meta: { a: "b" },
      NodeIdentityTTL: "12h",
    });
    await resource.update({ ...program, description: "ours" });
    expect(await readServer(AT)).toMatchObject({
      Description: "ours",
      Meta: { a: "b" },
      NodeIdentityTTL: 43_200_000_000_000,
    });
  });

  test("has a TTL of node identities that is restored to 24 hours once the program drops it", async () => {
    const { resource, readServer } = await scene(nodePool);
    const ours = { ...program, nodeIdentityTtl: "12h" };
    await resource.create(ours);
    expect(await readServer(AT)).toMatchObject({ NodeIdentityTTL: 43_200_000_000_000 });
    expect(changedPaths(resource, { ...program, nodeIdentityTtl: "720m" })).toEqual([]);
    await resource.up(program);
    expect(await readServer(AT)).toMatchObject({ NodeIdentityTTL: 86_400_000_000_000 });
    await expectNoChanges(resource, program);
  });

  test("has settings of the scheduler only on Nomad Enterprise, and false is a value of its own", async () => {
    const ours = {
      ...program,
      schedulerConfiguration: { schedulerAlgorithm: "spread", memoryOversubscriptionEnabled: false },
    };
    const enterprise = await scene(nodePool, { enterprise: true });
    await enterprise.resource.create(ours);
    expect(await enterprise.readServer(AT)).toMatchObject({
      SchedulerConfiguration: { SchedulerAlgorithm: "spread", MemoryOversubscriptionEnabled: false },
    });
    await expectNoChanges(enterprise.resource, ours);
    const without = { ...program, schedulerConfiguration: { schedulerAlgorithm: "spread" } };
    expect(changedPaths(enterprise.resource, without)).not.toEqual([]);
    const community = await scene(nodePool);
    await expect(community.resource.create(ours)).rejects.toThrow(/"Node Pools Governance" is unlicensed/);
    expect(notesOfCreate(nodePool, ours)).toEqual([
      expect.stringContaining("schedulerConfiguration requires Nomad Enterprise"),
    ]);
  });

  test("is not deleted while a job uses it, and the error names the reason and the order", async () => {
    const { resource, readServer, theirs } = await scene(nodePool);
    await resource.create(program);
    await theirs("/v1/jobs", { Job: { ...web, NodePool: "gpu" } });
    const failure = await resource.delete().catch(String);
    expect(failure).toMatch(/node pool "gpu" has non-terminal jobs in regions: \[global\]/);
    expect(failure).toMatch(/name output/);
    expect(await readServer(AT)).toMatchObject({ Name: "gpu" });
  });

  test("is only gone if Nomad itself says so", async () => {
    const { resource, world, deleteAsOther } = await scene(nodePool);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({ ...answer, status: 404, text: "", json: undefined });
    await expect(resource.refresh()).rejects.toThrow("404");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(AT);
    expect(await resource.refresh()).toBe(false);
  });

  test("has problems in the preview for the built-in node pools and for a name that Nomad rejects", async () => {
    const { problems } = await scene(nodePool);
    for (const name of ["default", "all"])
      expect(problems({ name })).toEqual([expect.stringContaining("must not be default or all")]);
    expect(problems({ name: "a b" })).toEqual([expect.stringContaining("letters, digits, - and _")]);
    expect(problems({ name: "gpu", nodeIdentityTtl: "soon" })).toEqual([expect.stringContaining("duration")]);
  });
});

import namespace from "../../../provider/services/scheduler/namespace";
import { changedPaths, expectNoChanges, notesOfCreate } from "../expectations";
import { web } from "./job-scene";
import { scene } from "./scene";

const AT = "/v1/namespace/shop";
const program = { name: "shop", description: "for the shop" };

describe("Nomad namespace", () => {
  test("is not overwritten if someone else created it first", async () => {
    const { resource, readServer, theirs } = await scene(namespace);
    await theirs(AT, { Name: "shop", Description: "theirs" });
    await expect(resource.create(program)).rejects.toThrow('Nomad namespace "shop" already exists');
    expect(await readServer(AT)).toMatchObject({ Description: "theirs" });
  });

  test.each(["", "ops"])(
    "is not adopted as identical if its metadata has another entry (%j)",
    async (owner) => {
      const { resource, theirs } = await scene(namespace);
      await theirs(AT, { Name: "shop", Meta: { team: "web", owner } });
      resource.adoptsIdentical = true;
      await expect(resource.create({ name: "shop", meta: { team: "web" } })).rejects.toThrow(/meta\.owner/);
    },
  );

  test("is adopted with its metadata shown that the adoption removes", async () => {
    const { resource, readServer, theirs } = await scene(namespace);
    await theirs(AT, { Name: "shop", Meta: { team: "web", owner: "ops" } });
    await resource.create({ name: "shop", meta: { team: "web" }, adopt: true });
    expect(resource.world.logged.join("\n")).toMatch(/meta\.owner/);
    expect(await readServer(AT)).toMatchObject({ Meta: { team: "web" } });
  });

  test("is not written if someone else changed a managed property since the last read", async () => {
    const { resource, readServer, changeAsOther } = await scene(namespace);
    await resource.create(program);
    await changeAsOther(AT, "Description", "theirs");
    await expect(resource.update({ ...program, description: "ours" })).rejects.toThrow(/conflict/);
    expect(await readServer(AT)).toMatchObject({ Description: "theirs" });
  });

  test("keeps what others manage at an update, although a write replaces the namespace", async () => {
    const { resource, readServer, changeAsOther } = await scene(namespace);
    await resource.create(program);
    await changeAsOther(AT, "Meta", { owner: "ops" });
    await changeAsOther(AT, "Capabilities", { DisabledTaskDrivers: ["raw_exec"] });
    await changeAsOther(AT, "RequiredExtraClaims", { aud: "shop" });
    await resource.update({ ...program, description: "ours" });
    expect(await readServer(AT)).toMatchObject({
      Description: "ours",
      Meta: { owner: "ops" },
      Capabilities: { DisabledTaskDrivers: ["raw_exec"] },
      RequiredExtraClaims: { aud: "shop" },
    });
  });

  test("has capabilities that are managed as one unit, in any order", async () => {
    const { resource, readServer, changeAsOther } = await scene(namespace);
    const ours = { ...program, capabilities: { enabledTaskDrivers: ["docker", "exec"] } };
    await resource.create(ours);
    await changeAsOther(AT, "Capabilities", { EnabledTaskDrivers: ["exec", "docker"] });
    await expectNoChanges(resource, ours);
    await changeAsOther(AT, "Capabilities", {
      EnabledTaskDrivers: ["exec", "docker"],
      DisabledNetworkModes: ["host"],
    });
    await resource.refresh();
    expect(changedPaths(resource, ours)).not.toEqual([]);
    await resource.up(ours);
    expect(await readServer(AT)).toMatchObject({ Capabilities: { DisabledNetworkModes: null } });
  });

  test("loses its capabilities once the program drops them", async () => {
    const { resource, readServer } = await scene(namespace);
    await resource.create({ ...program, capabilities: { enabledTaskDrivers: ["docker"] } });
    await resource.up(program);
    expect(await readServer(AT)).toMatchObject({ Capabilities: null });
    await expectNoChanges(resource, program);
  });

  test("is not deleted while it contains a job, and the error names the reason and the order", async () => {
    const { resource, world, readServer, theirs } = await scene(namespace);
    await resource.create(program);
    await theirs("/v1/jobs", { Job: { ...web, Namespace: "shop" } });
    const failure = await resource.delete().catch(String);
    expect(failure).toMatch(/namespace "shop" has non-terminal jobs in regions: \[global\]/);
    expect(failure).toMatch(/name output/);
    expect(world.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    expect(await readServer(AT)).toMatchObject({ Name: "shop" });
  });

  test("is not deleted if it is the namespace default, and the error says how to leave it alone", async () => {
    const { resource, readServer } = await scene(namespace);
    await resource.create({ name: "default", description: "ours", adopt: true });
    const failure = await resource.delete().catch(String);
    expect(failure).toMatch(/can not delete default namespace/);
    expect(failure).toMatch(/retainOnDelete/);
    expect(await readServer("/v1/namespace/default")).toMatchObject({ Description: "ours" });
  });

  test("is only gone if Nomad itself says so", async () => {
    const { resource, world, deleteAsOther } = await scene(namespace);
    await resource.create(program);
    world.transformResponse = (_, answer) => ({
      ...answer,
      status: 404,
      text: "page not found",
      json: undefined,
    });
    await expect(resource.refresh()).rejects.toThrow("404");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(AT);
    expect(await resource.refresh()).toBe(false);
  });

  test("has a node pool and clusters of its own only on Nomad Enterprise", async () => {
    const governed = {
      ...program,
      nodePoolConfiguration: { default: "gpu", allowed: ["gpu", "batch-*"] },
      vaultConfiguration: { denied: ["eu"] },
    };
    const enterprise = await scene(namespace, { enterprise: true });
    await enterprise.resource.create(governed);
    expect(await enterprise.readServer(AT)).toMatchObject({
      NodePoolConfiguration: { Default: "gpu", Allowed: ["gpu", "batch-*"], Denied: null },
      VaultConfiguration: { Denied: ["eu"] },
    });
    await expectNoChanges(enterprise.resource, governed);
    const community = await scene(namespace);
    await expect(community.resource.create(governed)).rejects.toThrow(/Node Pools Governance is unlicensed/);
    expect(notesOfCreate(namespace, governed).join()).toMatch(
      /nodePoolConfiguration requires Nomad Enterprise.*vaultConfiguration requires Nomad Enterprise/,
    );
    expect(notesOfCreate(namespace, program)).toEqual([]);
  });

  test("allows only its default node pool with an empty list, which differs from no list", async () => {
    const { resource, readServer, changeAsOther } = await scene(namespace, { enterprise: true });
    const governed = (allowed?: string[]) => ({
      ...program,
      nodePoolConfiguration: { default: "gpu", ...(allowed && { allowed }) },
    });
    const stored = async () => (await readServer(AT)).NodePoolConfiguration;
    await resource.create(governed([]));
    expect(await stored()).toEqual({ Default: "gpu", Allowed: [], Denied: null });
    await expectNoChanges(resource, governed([]));
    expect(changedPaths(resource, governed())).toEqual(["nodePoolConfiguration.Allowed"]);
    await resource.up(governed());
    expect(await stored()).toEqual({ Default: "gpu", Allowed: null, Denied: null });
    await expectNoChanges(resource, governed());
    await changeAsOther(AT, "NodePoolConfiguration", { Default: "gpu", Allowed: [] });
    await resource.refresh();
    expect(changedPaths(resource, governed())).toEqual(["nodePoolConfiguration.Allowed"]);
    await resource.up(governed(["batch"]));
    await resource.up(governed([]));
    expect(await stored()).toEqual({ Default: "gpu", Allowed: [], Denied: null });
  });

  test("is listed, and the namespace that every cluster has is set apart", async () => {
    const { resource, listed } = await scene(namespace);
    await resource.create(program);
    expect((await listed()).map(({ id, apart }) => [id, apart !== undefined])).toEqual([
      ["default", true],
      ["shop", false],
    ]);
  });

  test("has problems in the preview for a name or a description that Nomad rejects", async () => {
    const { problems } = await scene(namespace);
    expect(problems({ name: "the shop" })).toEqual([expect.stringContaining("letters, digits and hyphens")]);
    expect(problems({ name: "shop", description: "ä".repeat(129) })).toEqual([
      expect.stringContaining("at most 256 bytes"),
    ]);
  });
});

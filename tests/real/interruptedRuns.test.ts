import { actBefore, letPass, setFate } from "../services/interference";
import { reset } from "./reset";
import { until } from "./servers/cluster";
import { givenServer } from "./servers/server";
import { act, CONFIGURATION, deployable, runsOf, scene, statusesOf } from "./terraformRuns";

// Each run executes Terraform.
jest.setTimeout(120_000);

const server = givenServer();

if (server?.program !== "otfd" || server.more.terraform === undefined) {
  test.skip("interrupted runs need a real OTF server and Terraform on the PATH", () => undefined);
} else {
  const { version, more } = server;

  beforeEach(reset);

  describe(`a run that Terraform ${more.terraform} executes (${version})`, () => {
    test.each(["discard", "cancel"])("is not applied if someone else sends %s first", async (action) => {
      const workspaceId = await deployable(CONFIGURATION);
      const { world, resource } = scene();
      actBefore(world, /actions\/apply$/, async () => {
        const [only] = await runsOf(workspaceId);
        await act(only?.id, action);
      });
      await expect(resource.create({ workspaceId })).rejects.toThrow(/is (discarded|canceled)\./);
      expect(await statusesOf(workspaceId)).toHaveLength(1);
      letPass(world);
      await resource.up({ workspaceId });
      expect(resource.outputs).toMatchObject({ status: "applied" });
    });

    test("is applied once if someone else applies it first", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { world, resource } = scene();
      actBefore(world, /actions\/apply$/, async () => {
        const [only] = await runsOf(workspaceId);
        await act(only?.id, "apply");
      });
      await resource.create({ workspaceId });
      expect(await statusesOf(workspaceId)).toEqual(["applied"]);
    });

    test("is applied once if the response to the apply is lost", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { world, resource } = scene();
      setFate(world, /actions\/apply$/, "response lost");
      await resource.create({ workspaceId });
      expect(resource.outputs).toMatchObject({ status: "applied" });
      expect(await statusesOf(workspaceId)).toEqual(["applied"]);
    });

    test("is not queued again if the response is lost, because the server stores no messages", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { world, resource } = scene();
      setFate(world, /^POST .*\/runs$/, "response lost");
      await expect(resource.create({ workspaceId })).rejects.toThrow(/shows no messages of runs/);
      letPass(world);
      await expect(resource.up({ workspaceId })).rejects.toThrow(/change triggers to queue another run/);
      expect(await statusesOf(workspaceId)).toHaveLength(1);
    });

    test("is queued by the next up if its request was lost, and the workspace has no other run", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { world, resource } = scene();
      setFate(world, /^POST .*\/runs$/, "request lost");
      await expect(resource.create({ workspaceId })).rejects.toThrow(/shows no run with/);
      letPass(world);
      await resource.up({ workspaceId });
      expect(resource.outputs).toMatchObject({ status: "applied" });
    });

    test("is waited for again by the next up after the timeout, and not queued again", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { resource } = scene();
      const program = { workspaceId, variables: { delay: "4" }, timeouts: { create: 2, update: 60 } };
      await expect(resource.create(program)).rejects.toThrow(/is applying after the timeout/);
      expect(resource.outputs).toMatchObject({ status: "applying" });
      await resource.up(program);
      expect(resource.outputs).toMatchObject({ status: "applied" });
      expect(await statusesOf(workspaceId)).toEqual(["applied"]);
    });

    test("waits until a run before it has ended", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const first = scene().resource;
      await first.create({ workspaceId, waitFor: "planned" });
      const second = scene().resource;
      const creating = second.create({ workspaceId });
      await until("the second run is queued", async () => (await statusesOf(workspaceId)).length === 2);
      await act(first.outputs.runId, "discard");
      await creating;
      expect(await statusesOf(workspaceId)).toEqual(["discarded", "applied"]);
    });
  });
}

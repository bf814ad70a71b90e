import { callFunction } from "../../provider/core/functions/call";
import type { Values } from "../../provider/core/language/object";
import { functionOf } from "../../provider/functions";
import { reset } from "./reset";
import { until } from "./servers/cluster";
import { givenServer } from "./servers/server";
import { act, ask, CONFIGURATION, deployable, runsOf, scene, statusesOf, upload } from "./terraformRuns";

// Each run executes Terraform.
jest.setTimeout(120_000);

const server = givenServer();

/** Two resources with the same input. */
const TWO = `
variable "size" {
  default = "small"
}
resource "terraform_data" "app" {
  input = var.size
}
resource "terraform_data" "other" {
  input = var.size
}
output "app" {
  value = terraform_data.app.output
}
output "other" {
  value = terraform_data.other.output
}
output "id" {
  value = terraform_data.app.id
}
`;

if (server?.program !== "otfd" || server.more.terraform === undefined) {
  test.skip("runs that Terraform executes need a real OTF server and Terraform on the PATH", () => undefined);
} else {
  const { version, more } = server;

  async function outputsOf({ world }: ReturnType<typeof scene>, workspaceId: string) {
    const caller = { connection: world.connection, log: () => undefined };
    const definition = functionOf("workspaces:getWorkspaceOutputs");
    return (await callFunction(definition, { workspaceId }, caller)).result;
  }

  beforeEach(reset);

  describe(`a run that Terraform ${more.terraform} executes (${version})`, () => {
    test("is planned and applied, and its outputs can be read", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const own = scene();
      const { world, resource } = own;
      await expect(outputsOf(own, workspaceId)).rejects.toThrow(/has no state yet/);
      world.requests.length = 0;
      const start = Date.now();
      await resource.create({ workspaceId, variables: { size: '"large"' } });
      const took = Date.now() - start;
      const sent = world.requests.map(({ method }) => method);
      expect(resource.outputs).toMatchObject({ status: "applied", hasChanges: true });
      const [only, ...others] = await runsOf(workspaceId);
      expect(others).toEqual([]);
      expect(only).toMatchObject({ id: resource.outputs.runId, attributes: { status: "applied" } });
      expect(await outputsOf(own, workspaceId)).toEqual({
        values: { size: "large", sizes: { all: ["small", "large"], count: 2 } },
        sensitiveValues: { password: "hush" },
      });
      expect(resource.preview({ workspaceId, variables: { size: '"large"' } }).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      expect(resource.outputs).toMatchObject({ status: "applied" });
      const [reads, writes] = ["GET", "POST"].map((method) => sent.filter((one) => one === method).length);
      process.stderr.write(`an applied run: ${writes} writes, ${reads} reads, ${took} ms\n`);
    });

    test("without changes ends with its plan", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      await scene().resource.create({ workspaceId });
      const { world, resource } = scene();
      await resource.create({ workspaceId });
      expect(resource.outputs).toMatchObject({ status: "planned_and_finished", hasChanges: false });
      expect(world.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    });

    test("waits with waitFor: planned, although the workspace applies by itself, and stays after a delete", async () => {
      const workspaceId = await deployable(CONFIGURATION, { "auto-apply": true });
      const { resource } = scene();
      await resource.create({ workspaceId, waitFor: "planned" });
      expect(resource.outputs).toMatchObject({ status: "planned", hasChanges: true });
      await resource.delete();
      expect(await statusesOf(workspaceId)).toEqual(["planned"]);
      await act(resource.outputs.runId, "apply");
      await until("the run is applied", async () => (await statusesOf(workspaceId))[0] === "applied");
      await resource.refresh();
      expect(resource.outputs).toMatchObject({ status: "applied" });
    });

    test("with planOnly is never applied", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { resource } = scene();
      await resource.create({ workspaceId, planOnly: true });
      expect(resource.outputs).toMatchObject({ status: "planned_and_finished", hasChanges: true });
    });

    test("with isDestroy destroys what another run created", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      await scene().resource.create({ workspaceId });
      const own = scene();
      await own.resource.create({ workspaceId, isDestroy: true });
      expect(own.resource.outputs).toMatchObject({ status: "applied", hasChanges: true });
      expect(await outputsOf(own, workspaceId)).toEqual({ values: {}, sensitiveValues: {} });
    });

    test("changes only its targets, and replaces the resources that it names", async () => {
      const workspaceId = await deployable(TWO);
      const own = scene();
      await own.resource.create({ workspaceId });
      const valuesAfter = async (program: Values) => {
        await scene().resource.create({ workspaceId, ...program });
        return (await outputsOf(own, workspaceId)).values as Values;
      };
      const address = ["terraform_data.app"];
      const targeted = await valuesAfter({ targetAddrs: address, variables: { size: '"large"' } });
      expect(targeted).toMatchObject({ app: "large", other: "small" });
      const replaced = await valuesAfter({ replaceAddrs: address, variables: { size: '"large"' } });
      expect(replaced).toMatchObject({ app: "large", other: "large" });
      expect(replaced.id).not.toBe(targeted.id);
    });

    test("uses the configuration version of its ID, not the newest", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const [first] = (
        await ask<{ data: { id: string }[] }>("GET", `workspaces/${workspaceId}/configuration-versions`)
      ).data;
      await upload(workspaceId, 'output "newest" { value = true }');
      const own = scene();
      await own.resource.create({ workspaceId, configurationVersionId: first?.id ?? "" });
      expect(await outputsOf(own, workspaceId)).toMatchObject({ values: { size: "small" } });
    });

    test("with a plan that fails is partially created, and the next up queues another one", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { resource } = scene();
      const failing = { workspaceId, variables: { size: '"none"' } };
      await expect(resource.create(failing)).rejects.toThrow(/run run-\w+ is errored during the plan/);
      expect(resource.outputs).toMatchObject({ status: "errored" });
      expect(resource.isHalfDone).toBe(true);
      await expect(resource.up(failing)).rejects.toThrow(/is errored during the plan/);
      expect(await statusesOf(workspaceId)).toEqual(["errored", "errored"]);
    });

    test("with an apply that fails is partially created", async () => {
      const workspaceId = await deployable(CONFIGURATION);
      const { resource } = scene();
      const failing = { workspaceId, variables: { delay: '"no-number"' } };
      await expect(resource.create(failing)).rejects.toThrow(/is errored during the apply/);
      expect(resource.outputs).toMatchObject({ status: "errored" });
    });

    test("with an invalid configuration fails during its plan", async () => {
      const workspaceId = await deployable("resource {");
      await expect(scene().resource.create({ workspaceId })).rejects.toThrow(/is errored during the plan/);
    });

    test("of a workspace without a configuration is rejected, and leaves nothing in the state", async () => {
      const { data } = await ask<{ data: { id: string } }>("POST", "organizations/acme/workspaces", {
        type: "workspaces",
        attributes: { name: "empty" },
      });
      const { resource } = scene();
      await expect(resource.create({ workspaceId: data.id })).rejects.toThrow(/404/);
      expect(resource.outputs).toEqual({});
    });
  });
}

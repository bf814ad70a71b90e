import type { z } from "zod";
import { callFunction } from "../../provider/core/functions/call";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { functionOf } from "../../provider/functions";
import job from "../../provider/services/scheduler/job";
import workspace from "../../provider/services/workspaces/workspace";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { WorkspacesService } from "../../testing/stub/services/workspaces/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { reset } from "./reset";
import { givenServer } from "./servers/server";

const server = givenServer();
const program = server?.program;

/** The result of a function. Fails if a property does not have the type of its schema. */
async function callTyped(world: World, token: string, args: Values): Promise<Values> {
  const definition = functionOf(token);
  const caller = { connection: world.connection, log: () => undefined };
  const { result } = await callFunction(definition, args, caller);
  for (const [name, schema] of Object.entries(definition.result) as [string, z.ZodType][]) {
    const { error } = schema.safeParse(result[name]);
    if (error) throw new Error(`${token}: ${name}: ${error.message}`);
  }
  return result;
}

const properties = ({ fields, ...rest }: AnyDefinition) =>
  new Set(fieldsOf({ fields, ...rest }).map(({ name }) => name));

if (program !== "nomad" && program !== "otfd") {
  test.skip("the results of functions need a Nomad or otfd server", () => undefined);
} else if (program === "nomad") {
  test(`functions about a job return the types of their schemas (${server?.version})`, async () => {
    await reset();
    const world = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {
      token: "manager",
    });
    const resource = new Resource(world, job);
    const command = { command: "/bin/sleep", args: ["3600"] };
    const tasks = [{ Name: "server", Driver: "raw_exec", Config: command }];
    const update = { MinHealthyTime: 100_000_000, HealthCheck: "task_states" };
    const web = { ID: "typed", TaskGroups: [{ Name: "front", Count: 1, Update: update, Tasks: tasks }] };
    await resource.create({ json: web, wait: "deployment" });
    const args = { jobId: "typed" };
    const { jobs } = await callTyped(world, "scheduler:getJobStubs", {});
    expect(jobs).toMatchObject([{ id: "typed", jobSummary: { summary: { front: { running: 1 } } } }]);
    const { version, evalId, deploymentId } = resource.outputs;
    expect(version).toBe(0);
    expect(await callTyped(world, "scheduler:getEvaluations", args)).toMatchObject({
      evaluations: expect.arrayContaining([expect.objectContaining({ id: evalId })]),
    });
    expect(await callTyped(world, "scheduler:getDeployments", args)).toMatchObject({
      deployments: [{ id: deploymentId, jobVersion: 0, status: "successful" }],
    });
    expect(await callTyped(world, "scheduler:getAllocations", args)).toMatchObject({
      allocations: [{ clientStatus: "running", jobVersion: 0, taskStates: { server: { state: "running" } } }],
    });
    await resource.refresh();
    expect(resource.outputs).toMatchObject({ version, evalId, deploymentId });
    await resource.delete();
  });
} else {
  test(`functions about a workspace return the types of their schemas (${server?.version})`, async () => {
    await reset();
    const world = new World(new WorkspacesService({ switches: { dialect: "neutral" } }), workspace, {
      token: "owner",
      organization: "acme",
    });
    const resource = new Resource(world, workspace);
    await resource.create({ name: "typed", forceDelete: true });
    const one = await callTyped(world, "workspaces:getWorkspace", { name: "typed" });
    const { workspaces } = await callTyped(world, "workspaces:getWorkspaces", {});
    expect(one).toMatchObject({
      permissions: { canUpdate: true },
      relationships: { organization: { id: expect.any(String), type: "organizations" }, outputs: [] },
      locked: false,
    });
    expect(workspaces).toMatchObject([{ name: "typed", permissions: { canUpdate: true } }]);
    process.stderr.write(
      `returned besides the resource's properties: ${Object.keys(one)
        .filter((name) => !properties(workspace).has(name))
        .join(", ")}\n`,
    );
    await resource.delete();
  });
}

import run from "../../../provider/services/workspaces/run";
import { StubClock } from "../../../testing/stub/clock";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { World } from "../../steps/world";
import { notesOfCreate } from "../expectations";
import { actBefore, letPass, refusal, setFate } from "../interference";
import { as } from "./workspace-scene";

const program = { workspaceId: WORKSPACE_ID };

function scene(switches: Readonly<Record<string, unknown>> = {}) {
  const world = workspaceWorld(run);
  world.stub.configure(switches);
  const clock = new StubClock(() => Date.UTC(2030, 0, 1));
  world.clock = clock;
  world.onSleep = (milliseconds) => clock.advance(milliseconds);
  return { world, resource: new Resource(world, run) };
}

/** The messages and statuses of the runs on the server, the oldest first. */
async function runsOf(world: World) {
  const { json } = await world.send("GET", `/api/v2/workspaces/${WORKSPACE_ID}/runs`, undefined, as("owner"));
  // The stub returns a JSON:API list.
  const { data } = json as { data: { id: string; attributes: { message: string; status: string } }[] };
  return data.reverse().map(({ id, attributes }) => ({ id, ...attributes }));
}

const writesOf = ({ requests }: World) =>
  requests.filter(({ method }) => method === "POST").map(({ path }) => path.replace(/run-\w+/, "ID"));
const act = (world: World, id: string, action: string) =>
  world.send("POST", `/api/v2/runs/${id}/actions/${action}`, undefined, as("other"));

describe("a run", () => {
  test("is queued once, and its plan is applied", async () => {
    const { world, resource } = scene({ runPhaseMilliseconds: 5000 });
    await resource.create({ ...program, message: "deploy", variables: { size: '"large"' } });
    const [own] = await runsOf(world);
    expect(own).toMatchObject({
      status: "applied",
      message: expect.stringMatching(/^deploy \([0-9a-f]{12}\)$/),
      variables: [{ key: "size", value: '"large"' }],
    });
    expect(resource.outputs).toMatchObject({ runId: own?.id, status: "applied", hasChanges: true });
    expect(resource.id).toBe(WORKSPACE_ID);
    expect(writesOf(world)).toEqual(["/api/v2/runs", "/api/v2/runs/ID/actions/apply"]);
    expect(world.requests.filter(({ path }) => path.endsWith(`${WORKSPACE_ID}/runs`))).toEqual([]);
  });

  test("is planned only, if the program does not ask for more", async () => {
    const { world, resource } = scene();
    await resource.create({ ...program, waitFor: "planned" });
    expect(resource.outputs).toMatchObject({ status: "planned", hasChanges: true });
    expect(await runsOf(world)).toMatchObject([{ message: expect.stringMatching(/^Queued by Pulumi \(/) }]);
    expect(writesOf(world)).toEqual(["/api/v2/runs"]);
    await act(world, String(resource.outputs.runId), "apply");
    await resource.refresh();
    expect(resource.outputs).toMatchObject({ status: "applied" });
  });

  test("with waitFor: planned stays planned, although the workspace applies by itself", async () => {
    const { world, resource } = scene({ runPhaseMilliseconds: 5000 });
    const attributes = { "auto-apply": true };
    await world.send(
      "PATCH",
      `/api/v2/workspaces/${WORKSPACE_ID}`,
      { data: { type: "workspaces", attributes } },
      as("other"),
    );
    await resource.create({ ...program, waitFor: "planned" });
    expect(resource.outputs).toMatchObject({ status: "planned" });
    expect(await runsOf(world)).toMatchObject([{ status: "planned" }]);
  });

  test("is not applied if its plan has no changes", async () => {
    const { world, resource } = scene({ planResult: "none" });
    await resource.create(program);
    expect(resource.outputs).toMatchObject({ status: "planned_and_finished", hasChanges: false });
    expect(writesOf(world)).toEqual(["/api/v2/runs"]);
  });

  test("is found by its message if the response is lost, and not queued again", async () => {
    const { world, resource } = scene();
    setFate(world, /^POST .*\/runs$/, "response lost");
    await resource.create(program);
    expect(await runsOf(world)).toHaveLength(1);
    expect(resource.outputs).toMatchObject({ status: "applied" });
  });

  test("is looked for by the next up if its request was lost, and only then queued", async () => {
    const { world, resource } = scene();
    setFate(world, /^POST .*\/runs$/, "request lost");
    await expect(resource.create(program)).rejects.toThrow(/shows no run with [0-9a-f]{12} in its message/);
    letPass(world);
    await resource.up(program);
    expect(await runsOf(world)).toHaveLength(1);
    expect(resource.outputs).toMatchObject({ status: "applied" });
  });

  test("is not queued again after a lost response if the server stores no messages", async () => {
    const { world, resource } = scene();
    world.transformResponse = (_, answer) => {
      const text = answer.text.replace(/"message":"[^"]*"/g, '"message":""');
      return { ...answer, text, json: text === "" ? undefined : JSON.parse(text) };
    };
    setFate(world, /^POST .*\/runs$/, "response lost");
    await expect(resource.create(program)).rejects.toThrow(/shows no messages of runs/);
    expect(world.requests).toHaveLength(2);
    letPass(world);
    await expect(resource.up(program)).rejects.toThrow(/shows no messages of runs[\s\S]*change triggers/);
    expect(await runsOf(world)).toHaveLength(1);
  });

  test("leaves nothing in the state if the server rejects it", async () => {
    const { world, resource } = scene();
    await expect(resource.create({ workspaceId: "ws-absent" })).rejects.toThrow(/404/);
    expect(resource.outputs).toEqual({});
    expect(await runsOf(world)).toEqual([]);
  });

  test("with a failed plan is partially created, and the next up queues another one", async () => {
    const { world, resource } = scene({ planResult: "error" });
    await expect(resource.create(program)).rejects.toThrow(/run run-\w+ is errored during the plan/);
    expect(resource.outputs).toMatchObject({ status: "errored" });
    world.stub.configure({ planResult: "changes" });
    await resource.up(program);
    expect(resource.outputs).toMatchObject({ status: "applied" });
    expect((await runsOf(world)).map(({ status }) => status)).toEqual(["errored", "applied"]);
  });

  test("that only plans has failed if a policy rejects its plan, and the next up queues another one", async () => {
    const { world, resource } = scene({ planResult: "policy" });
    const planning = { ...program, planOnly: true };
    await expect(resource.create(planning)).rejects.toThrow(
      /run run-\w+ is policy_soft_failed: a policy rejects its plan/,
    );
    expect(resource.outputs).toMatchObject({ status: "policy_soft_failed", hasChanges: true });
    world.stub.configure({ planResult: "changes" });
    await resource.up(planning);
    expect(resource.outputs).toMatchObject({ status: "planned_and_finished" });
    expect((await runsOf(world)).map(({ status }) => status)).toEqual([
      "policy_soft_failed",
      "planned_and_finished",
    ]);
  });

  test("is waited for while a person can override the policy that rejects its plan", async () => {
    const { resource } = scene({ planResult: "policy" });
    const bounded = { ...program, timeouts: { create: 10 } };
    await expect(resource.create(bounded)).rejects.toThrow(/is policy_override after the timeout/);
  });

  test("is not applied if someone else discards it first", async () => {
    const { world, resource } = scene();
    actBefore(world, /actions\/apply$/, async () => {
      const [own] = await runsOf(world);
      await act(world, own?.id ?? "", "discard");
    });
    await expect(resource.create(program)).rejects.toThrow(/is discarded/);
    expect((await runsOf(world)).map(({ status }) => status)).toEqual(["discarded"]);
  });

  test("is waited for again by the next up after the timeout, and not queued again", async () => {
    const { world, resource } = scene({ runPhaseMilliseconds: 60_000 });
    const bounded = { ...program, timeouts: { create: 10, update: 600 } };
    await expect(resource.create(bounded)).rejects.toThrow(/is planning after the timeout/);
    await resource.up(bounded);
    expect(resource.outputs).toMatchObject({ status: "applied" });
    expect(await runsOf(world)).toHaveLength(1);
  });

  test("is not queued again if the server no longer shows it", async () => {
    const { world, resource } = scene({ runPhaseMilliseconds: 60_000 });
    const bounded = { ...program, timeouts: { create: 10 } };
    await expect(resource.create(bounded)).rejects.toThrow(/after the timeout/);
    setFate(world, /^GET .*\/runs\/run-/, refusal(404, '{"errors":[{"status":"404","title":"not found"}]}'));
    await expect(resource.up(bounded)).rejects.toThrow(/the server does not show run run-/);
    expect(await resource.refresh()).toBe(true);
    expect(resource.outputs).toMatchObject({ status: "planning" });
    letPass(world);
    expect(await runsOf(world)).toHaveLength(1);
  });

  test("stays on the server after a delete", async () => {
    const { world, resource } = scene();
    await resource.create({ ...program, waitFor: "planned" });
    await resource.delete();
    expect((await runsOf(world)).map(({ status }) => status)).toEqual(["planned"]);
  });

  test("has a note that its plan is applied without a review, unless it only plans", () => {
    expect(notesOfCreate(run, program)).toEqual([expect.stringContaining("applied without a review")]);
    expect(notesOfCreate(run, { ...program, waitFor: "planned" })).toEqual([]);
    expect(notesOfCreate(run, { ...program, planOnly: true })).toEqual([]);
  });
});

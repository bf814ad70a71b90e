import type { HttpRequest } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import { ConflictError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import { JobScene, web } from "./job-scene";

const paths = ({ world }: JobScene) => world.requests.map(({ method, path }) => `${method} ${path}`);

function waiting(switches = {}): JobScene {
  const scene = new JobScene({}, { switches: { injects: [], ...switches } });
  scene.letTimePass();
  return scene;
}

/** A job that was registered, and whose evaluation or deployment is done. */
async function waited(wait: string): Promise<JobScene> {
  const scene = waiting();
  await scene.resource.create({ json: web, wait });
  return scene;
}

/** Lets another user act once, after the first response that matches; time still passes. */
function actOnce(scene: JobScene, isMoment: (request: HttpRequest) => boolean, act: () => unknown): void {
  const passing = scene.world.afterwards;
  let isDone = false;
  scene.world.afterwards = async (request, answer) => {
    await passing(request, answer);
    if (isDone || !isMoment(request)) return;
    isDone = true;
    await act();
  };
}
const asks = (end: string) => (request: HttpRequest) => request.path.endsWith(end);

/** Registers the job, and returns the failure as text. */
const failureOf = (scene: JobScene, program: Values) => scene.resource.create(program).catch(String);

/** What becomes of the job's allocations from here on. */
function foretell({ stub }: JobScene, outcome: string, more: object = {}): void {
  stub.seed({ outcomes: [{ job: "web", outcome, ...more }] });
}

const strict = { ...web, Update: { ProgressDeadline: 0, HealthyDeadline: 60_000_000_000 } };

describe("a register that waits for nothing", () => {
  test.each<Values>([{}, { wait: "none" }])("asks nothing more with %j", async (inputs) => {
    const scene = waiting();
    await scene.resource.create({ json: web, ...inputs });
    expect(paths(scene)).toEqual(["POST /v1/jobs", "GET /v1/job/web"]);
  });
});

describe("a register that waits for its evaluation", () => {
  test("ends when the scheduler has decided", async () => {
    const scene = await waited("evaluation");
    expect(scene.progress).toEqual([
      expect.stringMatching(/^evaluation \w{8}: pending$/),
      expect.stringMatching(/^evaluation \w{8}: complete$/),
    ]);
    expect(paths(scene)).not.toContain("GET /v1/job/web/deployments");
  });

  test("asks by blocking queries, so that the service answers when something has changed", async () => {
    const scene = await waited("evaluation");
    const [first, second] = scene.world.requests.filter(({ path }) => path.endsWith("/evaluations"));
    expect(Object.keys(first?.query ?? {})).not.toContain("index");
    expect(second?.query).toMatchObject({ index: expect.stringMatching(/^\d+$/), wait: "300s" });
  });

  test("says which group no node can take", async () => {
    const scene = waiting();
    foretell(scene, "unplaceable");
    await scene.resource.create({ json: web, wait: "evaluation" });
    expect(scene.world.logged).toContain(
      'warning: no node can take 2 of group "front" now: 3 nodes evaluated; constraint "missing drivers" filtered 3; the scheduler places them when a node can take them',
    );
  });
});

describe("a register that waits for its deployment", () => {
  test("ends when every group is healthy, and shows how far it is", async () => {
    const scene = await waited("deployment");
    const shown = scene.progress.filter((line) => line.includes("(deployment "));
    expect(shown.at(0)).toMatch(/^front 0 of 2 healthy, \d placed \(deployment \w{8} running\)$/);
    expect(shown.at(-1)).toMatch(/^front 2 of 2 healthy, 2 placed \(deployment \w{8} successful\)$/);
    expect(scene.resource.preview({ json: web, wait: "deployment" }).changes).toEqual([]);
  });

  test("waits in an update for the deployment of the new version", async () => {
    const scene = await waited("deployment");
    scene.world.logged.length = 0;
    const [group] = web.TaskGroups;
    await scene.resource.up({ json: { ...web, TaskGroups: [{ ...group, Count: 3 }] }, wait: "deployment" });
    expect(scene.progress.at(-1)).toMatch(
      /^front 3 of 3 healthy, \d placed \(deployment \w{8} successful\)$/,
    );
  });

  test.each<[string, Json]>([
    ["batch", { ...web, Type: "batch" }],
    ["periodic", { ...web, Type: "batch", Periodic: { Spec: "*/15 * * * *" } }],
    ["parameterised", { ...web, Type: "batch", ParameterizedJob: {} }],
    ["all at once", { ...web, Update: { MaxParallel: 0 } }],
  ])("does not hang where there is none: a job that is %s", async (_, json) => {
    const scene = waiting();
    await scene.resource.create({ json, wait: "deployment" });
    expect((await scene.held()).Stop).toBe(false);
    expect(scene.progress.filter((line) => line.includes("(deployment "))).toEqual([]);
  });

  test("waits for that of a job that is taken over as it is, and registers nothing", async () => {
    const scene = waiting();
    await scene.register(web);
    await scene.resource.create({ json: web, adopt: true, wait: "deployment" });
    expect(scene.progress.join("\n")).toMatch(/deployment \w{8} successful/);
    expect(paths(scene).filter((path) => path === "POST /v1/jobs")).toHaveLength(1);
  });

  test("does not hang after a register that changed nothing", async () => {
    const scene = await waited("deployment");
    await scene.resource.update({ json: { ...web, Meta: {} }, wait: "deployment" });
    await scene.resource.update({ json: { ...web, Reschedule: { Delay: 1 } }, wait: "deployment" });
    expect(scene.resource.record.pending).toBeUndefined();
  });

  test("says that canaries wait for an operator, and goes on when they are promoted", async () => {
    const scene = await waited("deployment");
    const [group] = web.TaskGroups;
    const [task] = group?.Tasks ?? [];
    const next = {
      ...web,
      Update: { Canary: 1 },
      TaskGroups: [{ ...group, Tasks: [{ ...task, User: "other" }] }],
    };
    const isWaiting = () => scene.progress.at(-1)?.includes("wait to be promoted") ?? false;
    actOnce(scene, isWaiting, async () => {
      const { json } = await scene.send("GET", "/v1/job/web/deployment");
      await scene.send("PUT", `/v1/deployment/promote/${Object(json).ID}`, { All: true });
    });
    await scene.resource.up({ json: next, wait: "deployment" });
    expect(scene.progress.join("\n")).toContain("requires manual promotion");
    expect(scene.progress.join("\n")).toMatch(
      /the canaries of group "front" are healthy and wait to be promoted: PUT \/v1\/deployment\/promote\/[-\w]{36}\?namespace=default&region=global with \{"DeploymentID": "[-\w]{36}", "All": true\}/,
    );
    expect(scene.progress.at(-1)).toContain("successful");
  });
});

describe("a job that others take before its deployment is there", () => {
  test.each<[string, string, (scene: JobScene) => Promise<unknown>]>([
    ["stopped", "it was stopped", (scene) => scene.send("DELETE", "/v1/job/web")],
    ["purged", "it is gone", (scene) => scene.send("DELETE", "/v1/job/web?purge=true")],
    [
      "registered as another version",
      "another version of it is registered",
      (scene) => scene.register({ ...web, Type: "service", Update: { MaxParallel: 0 }, Priority: 70 }),
    ],
  ])("is not taken for deployed: it is %s", async (_, reason, act) => {
    const scene = waiting();
    actOnce(scene, asks("/evaluations"), () => act(scene));
    const json = { ...web, Update: { MaxParallel: 0 } };
    const failure = await failureOf(scene, { json, wait: "deployment" });
    expect(failure).toContain(`was never deployed: ${reason}`);
    expect(scene.resource.record.pending?.reason).toContain("never deployed");
  });

  test.each([
    ["is no failure where the job is as it was registered", false],
    ["is one where the job is not", true],
  ])("an evaluation that is cancelled for a newer one %s", async (_, isTaken) => {
    const scene = waiting();
    const timePasses = scene.world.afterwards;
    scene.world.afterwards = async (request, answer) => {
      await timePasses(request, answer);
      if (!request.path.endsWith("/evaluations") || !Array.isArray(answer.json)) return;
      const json = answer.json.map((one) => ({ ...Object(one), Status: "canceled" }));
      Object.assign(answer, { json });
      if (isTaken) await scene.send("DELETE", "/v1/job/web");
    };
    const failure = await failureOf(scene, { json: web, wait: "evaluation" });
    if (isTaken) expect(failure).toContain("was never deployed: it was stopped");
    else expect(failure).toBeUndefined();
  });

  test("is done where the program itself registers it stopped", async () => {
    const scene = waiting();
    await scene.resource.create({ json: { ...web, Stop: true }, wait: "deployment" });
    expect((await scene.held()).Stop).toBe(true);
  });
});

describe("a job that no node can take", () => {
  const constrained = { ...web, Constraints: [{ LTarget: "arch", Operand: "=", RTarget: "arm64" }] };
  const why =
    'no node can take 2 of group "front" now: 3 nodes evaluated; constraint "arch = arm64" filtered 3';
  const program = { json: constrained, wait: "deployment", timeouts: { create: 1200 } };

  test("is told at once, and waited for until the time is over, which says it again", async () => {
    const scene = waiting();
    foretell(scene, "unplaceable");
    const failure = await failureOf(scene, program);
    expect(scene.progress.slice(0, 4)).toEqual([
      expect.stringMatching(/^evaluation \w{8}: pending$/),
      expect.stringMatching(/^evaluation \w{8}: complete$/),
      why,
      expect.stringMatching(/^front 0 of 2 healthy, 0 placed \(deployment \w{8} running\)$/),
    ]);
    expect(failure).toMatch(/the deployment is not done after as long as this operation may take/);
    expect(failure).toContain(why);
    expect(scene.resource.id).toBe("default/web");
  });

  test.each([
    ["stopped", (scene: JobScene) => scene.send("DELETE", "/v1/job/web"), "job is stopped"],
    [
      "replaced",
      (scene: JobScene) => scene.register({ ...constrained, Priority: 70, Meta: { by: "other" } }),
      "newer version of job",
    ],
  ])("ends the wait early where it is %s", async (_, act, reason) => {
    const scene = waiting();
    foretell(scene, "unplaceable");
    actOnce(scene, asks("/deployments"), () => {
      foretell(scene, "lives");
      return act(scene);
    });
    expect(await failureOf(scene, program)).toContain(reason);
  });

  test.each<[string, Json]>([
    ["a batch", { ...constrained, Type: "batch" }],
    ["updated all at once", { ...constrained, Update: { MaxParallel: 0 } }],
  ])("is waited for where it has no deployment, too: it is %s", async (_, json) => {
    const scene = waiting();
    foretell(scene, "unplaceable");
    const failure = await failureOf(scene, { ...program, json });
    expect(failure).toContain("not everything is placed after as long as this operation may take");
    expect(failure).toContain(why);
  });

  test("and has no deployment ends early where it is stopped", async () => {
    const scene = waiting();
    foretell(scene, "unplaceable");
    let looks = 0;
    const isThird = (request: HttpRequest) => asks("/evaluations")(request) && ++looks === 3;
    actOnce(scene, isThird, () => scene.send("DELETE", "/v1/job/web"));
    const json = { ...constrained, Type: "batch" };
    expect(await failureOf(scene, { ...program, json })).toContain(
      "never deployed: it was stopped by somebody else",
    );
  });
});

describe("a deployment that fails", () => {
  const failing = { json: strict, wait: "deployment" };

  test("is an error that says which group and why, and keeps the id", async () => {
    const scene = waiting();
    foretell(scene, "fails");
    const failure = await failureOf(scene, failing);
    expect(failure).toMatch(
      /scheduler:Job "default\/web": the deployment \w{8} failed: Failed due to unhealthy allocations/,
    );
    expect(failure).toMatch(/group "front": 0 of 2 healthy, \d unhealthy, \d placed/);
    expect(failure).toMatch(/web\.front\[\d\] failed: task "server": Terminated, exit code 1/);
    expect(scene.resource.id).toBe("default/web");
    expect(scene.resource.record.pending?.reason).toContain("failed");
  });

  test.each<[string, Json]>([
    ["DriverError, no such image", { Type: "Driver Failure", DriverError: "DriverError, no such image" }],
    ["no space left", { Type: "Setup Failure", SetupError: "no space left" }],
    ["404 Not Found", { Type: "Failed Artifact Download", DownloadError: "404 Not Found" }],
    ["Terminated, OOM Killed, exit code 137", { Type: "Terminated", Message: "OOM Killed", ExitCode: 137 }],
  ])("tells why, whatever the service wrote afterwards: %s", async (why, event) => {
    const scene = waiting();
    foretell(scene, "fails");
    const timePasses = scene.world.afterwards;
    scene.world.afterwards = async (request, answer) => {
      await timePasses(request, answer);
      if (!request.path.endsWith("/allocations") || !Array.isArray(answer.json)) return;
      const later = [
        { Type: "Restarting", RestartReason: "Restart within policy" },
        { Type: "Alloc Unhealthy", Message: "Task not running by deadline" },
      ];
      // The task is being restarted still, which is no failure of its own.
      const TaskStates = { server: { State: "pending", Failed: false, Events: [event, ...later] } };
      const [first] = answer.json.map(Object);
      const unhealthy = {
        ...first,
        ClientStatus: "pending",
        DeploymentStatus: { Healthy: false },
        TaskStates,
      };
      const replacement = { ...first, CreateIndex: 1e9, TaskStates: null };
      Object.assign(answer, { json: [unhealthy, replacement] });
    };
    expect(await failureOf(scene, failing)).toContain(`task "server": `);
    expect(scene.resource.record.pending?.reason).toContain(why);
  });

  test("is tried again by the next up, which updates the job", async () => {
    const scene = waiting();
    foretell(scene, "fails", { version: 0 });
    await failureOf(scene, failing);
    const fixed = { json: { ...strict, Priority: 60 }, wait: "deployment" };
    await scene.resource.update(fixed);
    expect(
      scene.registers.map(({ EnforceIndex, JobModifyIndex }) => [EnforceIndex, Number(JobModifyIndex) > 0]),
    ).toEqual([
      [true, false],
      [true, true],
    ]);
    expect(scene.resource.record.pending).toBeUndefined();
    expect(scene.resource.preview(fixed).changes).toEqual([]);
  });

  test("is still failed for a next up that changes nothing: nothing is registered, and the error is told again", async () => {
    const scene = waiting();
    foretell(scene, "fails");
    await failureOf(scene, failing);
    const again = await scene.resource.update(failing).catch(String);
    expect(again).toMatch(/the deployment \w{8} failed/);
    expect(scene.registers).toHaveLength(1);
  });

  test("and takes the job back to an earlier version is drift, which the next up puts forward again", async () => {
    const scene = waiting();
    const reverting = { ...web, Update: { ...strict.Update, AutoRevert: true } };
    await scene.resource.create({ json: reverting, wait: "deployment" });
    foretell(scene, "fails", { version: 1 });
    const [group] = web.TaskGroups;
    const [task] = group?.Tasks ?? [];
    const next = { ...reverting, TaskGroups: [{ ...group, Tasks: [{ ...task, User: "other" }] }] };
    const failure = await scene.resource.up({ json: next, wait: "deployment" }).catch(String);
    expect(failure).toContain("rolling back to job version 0");
    const { changes } = scene.resource.preview({ json: next, wait: "deployment" });
    expect(changes).toMatchObject([{ cause: "drift" }]);
    await scene.resource.up({ json: next, wait: "deployment" });
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Tasks: [{ User: "other" }] }] });
  });

  test("or that a newer version cancels is an error, too, and that version is not written over unseen", async () => {
    const scene = waiting();
    const [group] = web.TaskGroups;
    actOnce(scene, asks("/deployments"), () =>
      scene.register({ ...web, TaskGroups: [{ ...group, Count: 5 }] }),
    );
    const failure = await failureOf(scene, { json: web, wait: "deployment" });
    expect(failure).toMatch(/the deployment \w{8} cancelled: Cancelled due to newer version of job/);
    expect(failure).toContain("Next: pulumi refresh, which shows what is there, then pulumi up");
    await expect(scene.resource.up({ json: web, wait: "deployment" })).rejects.toThrow(ConflictError);
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Count: 5 }] });
  });
});

describe("a wait", () => {
  test("is bounded by the operation's timeout; the next up goes on waiting, and registers nothing", async () => {
    const scene = waiting();
    const program = { json: web, wait: "deployment", timeouts: { create: 5 } };
    const failure = await failureOf(scene, program);
    expect(failure).toContain('scheduler:Job "default/web": the deployment is not done after as long as');
    expect(failure).toMatch(/front \d of 2 healthy, \d placed \(deployment \w{8} running\)/);
    expect(scene.resource.id).toBe("default/web");
    await scene.resource.update(program);
    expect(scene.progress.at(-1)).toContain("successful");
    expect(scene.registers).toHaveLength(1);
    expect(scene.resource.record.pending).toBeUndefined();
  });

  test("goes on through lost connections", async () => {
    const scene = waiting();
    const passing = scene.world.fate;
    let lost = 0;
    scene.world.fate = (request) => {
      if (request.path.endsWith("/deployments") && lost++ < 2) return "request lost";
      return passing(request);
    };
    await scene.resource.create({ json: web, wait: "deployment" });
    expect(lost).toBeGreaterThan(2);
    expect(scene.progress.at(-1)).toContain("successful");
  });

  test("follows a register whose own answer was lost", async () => {
    const scene = waiting();
    const passing = scene.world.fate;
    let sent = 0;
    scene.world.fate = (request) => (sent++ === 0 ? "response lost" : passing(request));
    await scene.resource.create({ json: web, wait: "deployment" });
    expect(scene.progress.at(-1)).toContain("successful");
  });

  test("changes nothing by itself: asking for one later sends nothing", async () => {
    const scene = waiting();
    await scene.resource.create({ json: web });
    scene.world.requests.length = 0;
    await scene.resource.up({ json: web, wait: "deployment" });
    expect(scene.world.requests).toEqual([]);
  });
});

test("somebody's change after an unfinished register is a conflict, and never passes for the service's own", async () => {
  const scene = waiting();
  const program = { json: web, wait: "deployment", timeouts: { create: 1 } };
  await failureOf(scene, program);
  await scene.register({ ...web, Priority: 77 });
  const failure = await scene.resource.update(program).catch(String);
  expect(failure).toMatch(/json\.Priority\s+50\s+50\s+77/);
  expect((await scene.held()).Priority).toBe(77);
});

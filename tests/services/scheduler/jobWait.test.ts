import type { HttpRequest } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import { ConflictError } from "../../../provider/core/state/errors";
import type { Json } from "../../../provider/core/value/json";
import { JobScene, web } from "./job-scene";

const paths = ({ world }: JobScene) => world.requests.map(({ method, path }) => `${method} ${path}`);

const warnings = ({ world }: JobScene) => world.logged.filter((line) => line.startsWith("warning"));

function waiting(switches = {}): JobScene {
  const scene = new JobScene({}, { switches: { injects: [], ...switches } });
  scene.letTimePass();
  return scene;
}

/** Creates the job, and waits for its evaluation or deployment. */
async function createdWith(wait: string): Promise<JobScene> {
  const scene = waiting();
  await scene.resource.create({ json: web, wait });
  return scene;
}

/** Lets another user act once, after the first response that matches; time still passes. */
function actOnce(scene: JobScene, isMoment: (request: HttpRequest) => boolean, act: () => unknown): void {
  const passing = scene.world.onResponse;
  let isDone = false;
  scene.world.onResponse = async (request, answer) => {
    await passing(request, answer);
    if (isDone || !isMoment(request)) return;
    isDone = true;
    await act();
  };
}
const isRequestTo = (end: string) => (request: HttpRequest) => request.path.endsWith(end);

/** Registers the job, and returns the failure as text. */
const failureOf = (scene: JobScene, program: Values) => scene.resource.create(program).catch(String);

/** Sets the outcome of the job's later allocations. */
function setOutcome({ stub }: JobScene, outcome: string, more: object = {}): void {
  stub.seed({ outcomes: [{ job: "web", outcome, ...more }] });
}

const strict = { ...web, Update: { ProgressDeadline: 0, HealthyDeadline: 60_000_000_000 } };

describe("a registration without a wait", () => {
  test.each<Values>([{}, { wait: "none" }])(
    "sends only the registration and one read with %j",
    async (inputs) => {
      const scene = waiting();
      await scene.resource.create({ json: web, ...inputs });
      expect(paths(scene)).toEqual(["POST /v1/jobs", "GET /v1/job/web"]);
    },
  );
});

describe("a registration that waits for its evaluation", () => {
  test("ends when the evaluation is complete, without a request for deployments", async () => {
    const scene = await createdWith("evaluation");
    expect(scene.progress).toEqual([
      expect.stringMatching(/^evaluation \w{8}: pending$/),
      expect.stringMatching(/^evaluation \w{8}: complete$/),
    ]);
    expect(paths(scene)).not.toContain("GET /v1/job/web/deployments");
  });

  test("sends blocking queries, so that Nomad responds when something changes", async () => {
    const scene = await createdWith("evaluation");
    const [first, second] = scene.world.requests.filter(({ path }) => path.endsWith("/evaluations"));
    expect(Object.keys(first?.query ?? {})).not.toContain("index");
    expect(second?.query).toMatchObject({ index: expect.stringMatching(/^\d+$/), wait: "300s" });
  });

  test("warns about a group that no node can run", async () => {
    const scene = waiting();
    setOutcome(scene, "unplaceable");
    await scene.resource.create({ json: web, wait: "evaluation" });
    expect(scene.world.logged).toContain(
      'warning: 2 allocations of group "front" cannot be placed now: 3 nodes evaluated; constraint "missing drivers" filtered 3; Nomad places these allocations when a node has capacity',
    );
  });
});

describe("a registration that waits for its deployment", () => {
  test("ends when every group is healthy, and prints the progress", async () => {
    const scene = await createdWith("deployment");
    const shown = scene.progress.filter((line) => line.includes("(deployment "));
    expect(shown.at(0)).toMatch(/^front 0 of 2 healthy, \d placed \(deployment \w{8} running\)$/);
    expect(shown.at(-1)).toMatch(/^front 2 of 2 healthy, 2 placed \(deployment \w{8} successful\)$/);
    expect(scene.resource.preview({ json: web, wait: "deployment" }).changes).toEqual([]);
  });

  test("waits for the deployment of the new version in an update", async () => {
    const scene = await createdWith("deployment");
    scene.world.logged.length = 0;
    const [group] = web.TaskGroups;
    await scene.resource.up({ json: { ...web, TaskGroups: [{ ...group, Count: 3 }] }, wait: "deployment" });
    expect(scene.progress.at(-1)).toMatch(
      /^front 3 of 3 healthy, \d placed \(deployment \w{8} successful\)$/,
    );
  });

  test.each<[string, Json]>([
    ["a batch job", { ...web, Type: "batch" }],
    ["a periodic job", { ...web, Type: "batch", Periodic: { Spec: "*/15 * * * *" } }],
    ["a parameterized job", { ...web, Type: "batch", ParameterizedJob: {} }],
    ["a job that is updated all at once", { ...web, Update: { MaxParallel: 0 } }],
  ])("does not wait for a deployment of %s, which has none", async (_, json) => {
    const scene = waiting();
    await scene.resource.create({ json, wait: "deployment" });
    expect((await scene.held()).Stop).toBe(false);
    expect(scene.progress.filter((line) => line.includes("(deployment "))).toEqual([]);
    expect(warnings(scene)).toEqual([]);
  });

  test("warns if Nomad creates no deployment, with the allocations of the new version", async () => {
    const scene = await createdWith("deployment");
    const { world } = scene;
    world.transformResponse = ({ path }, answer) =>
      path.endsWith("/deployments") ? { ...answer, text: "[]", json: [] } : answer;
    const [group] = web.TaskGroups;
    await scene.resource.up({ json: { ...web, TaskGroups: [{ ...group, Count: 3 }] }, wait: "deployment" });
    expect(warnings(scene)).toEqual([
      expect.stringMatching(
        /^warning: Nomad created no deployment for version 1 of the job.* running this version: \d+\. Allocations running another version: \d+\.$/,
      ),
    ]);
    expect(paths(scene).filter((path) => path.endsWith("/allocations"))).toHaveLength(1);
  });

  test("warns with the reason instead of the numbers if the allocations cannot be read", async () => {
    const scene = await createdWith("deployment");
    scene.world.transformResponse = ({ path }, answer) => {
      if (path.endsWith("/allocations")) return { ...answer, status: 403, text: "Permission denied" };
      return path.endsWith("/deployments") ? { ...answer, text: "[]", json: [] } : answer;
    };
    const [group] = web.TaskGroups;
    await scene.resource.up({ json: { ...web, TaskGroups: [{ ...group, Count: 3 }] }, wait: "deployment" });
    expect(warnings(scene)).toEqual([
      expect.stringMatching(
        /^warning: Nomad created no deployment .* not known\. .*allocations returned 403/,
      ),
    ]);
  });

  test("waits for the deployment of a job that is adopted unchanged, without registering it again", async () => {
    const scene = waiting();
    await scene.register(web);
    await scene.resource.create({ json: web, adopt: true, wait: "deployment" });
    expect(scene.progress.join("\n")).toMatch(/deployment \w{8} successful/);
    expect(paths(scene).filter((path) => path === "POST /v1/jobs")).toHaveLength(1);
  });

  test("ends after a registration that changed nothing", async () => {
    const scene = await createdWith("deployment");
    await scene.resource.update({ json: { ...web, Meta: {} }, wait: "deployment" });
    await scene.resource.update({ json: { ...web, Reschedule: { Delay: 1 } }, wait: "deployment" });
    expect(scene.resource.record.pending).toBeUndefined();
  });

  test("reports canaries that wait to be promoted, and continues after their promotion", async () => {
    const scene = await createdWith("deployment");
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

describe("a job that changes before its deployment exists", () => {
  test.each<[string, string, (scene: JobScene) => Promise<unknown>]>([
    ["stopped", "someone else stopped the job", (scene) => scene.send("DELETE", "/v1/job/web")],
    ["purged", "someone else purged the job", (scene) => scene.send("DELETE", "/v1/job/web?purge=true")],
    [
      "registered as a different version",
      "someone else registered a different version",
      (scene) => scene.register({ ...web, Type: "service", Update: { MaxParallel: 0 }, Priority: 70 }),
    ],
  ])("is reported as never deployed if it is %s", async (_, reason, act) => {
    const scene = waiting();
    actOnce(scene, isRequestTo("/evaluations"), () => act(scene));
    const json = { ...web, Update: { MaxParallel: 0 } };
    const failure = await failureOf(scene, { json, wait: "deployment" });
    expect(failure).toContain(`was never deployed: ${reason}`);
    expect(scene.resource.record.pending?.reason).toContain("never deployed");
  });

  test.each([
    ["is no failure if the job is still as registered", false],
    ["is a failure if someone else stopped the job", true],
  ])("an evaluation that a newer one cancels %s", async (_, isStopped) => {
    const scene = waiting();
    const timePasses = scene.world.onResponse;
    scene.world.onResponse = async (request, answer) => {
      await timePasses(request, answer);
      if (!request.path.endsWith("/evaluations") || !Array.isArray(answer.json)) return;
      const json = answer.json.map((one) => ({ ...Object(one), Status: "canceled" }));
      Object.assign(answer, { json });
      if (isStopped) await scene.send("DELETE", "/v1/job/web");
    };
    const failure = await failureOf(scene, { json: web, wait: "evaluation" });
    if (isStopped) expect(failure).toContain("was never deployed: someone else stopped the job");
    else expect(failure).toBeUndefined();
  });

  test("is no failure if the program itself registers it with Stop: true", async () => {
    const scene = waiting();
    await scene.resource.create({ json: { ...web, Stop: true }, wait: "deployment" });
    expect((await scene.held()).Stop).toBe(true);
  });
});

describe("a job that no node can run", () => {
  const constrained = { ...web, Constraints: [{ LTarget: "arch", Operand: "=", RTarget: "arm64" }] };
  const why =
    '2 allocations of group "front" cannot be placed now: 3 nodes evaluated; constraint "arch = arm64" filtered 3';
  const program = { json: constrained, wait: "deployment", timeouts: { create: 1200 } };

  test("is reported at once, and again when the wait times out", async () => {
    const scene = waiting();
    setOutcome(scene, "unplaceable");
    const failure = await failureOf(scene, program);
    expect(scene.progress.slice(0, 4)).toEqual([
      expect.stringMatching(/^evaluation \w{8}: pending$/),
      expect.stringMatching(/^evaluation \w{8}: complete$/),
      why,
      expect.stringMatching(/^front 0 of 2 healthy, 0 placed \(deployment \w{8} running\)$/),
    ]);
    expect(failure).toMatch(/the deployment is not finished after the timeout of this operation/);
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
  ])("ends the wait early if it is %s", async (_, act, reason) => {
    const scene = waiting();
    setOutcome(scene, "unplaceable");
    actOnce(scene, isRequestTo("/deployments"), () => {
      setOutcome(scene, "lives");
      return act(scene);
    });
    expect(await failureOf(scene, program)).toContain(reason);
  });

  test.each<[string, Json]>([
    ["a batch job", { ...constrained, Type: "batch" }],
    ["a job that is updated all at once", { ...constrained, Update: { MaxParallel: 0 } }],
  ])("times out the wait if it has no deployment: %s", async (_, json) => {
    const scene = waiting();
    setOutcome(scene, "unplaceable");
    const failure = await failureOf(scene, { ...program, json });
    expect(failure).toContain("not all allocations are placed after the timeout of this operation");
    expect(failure).toContain(why);
  });

  test("ends the wait early if it has no deployment and is stopped", async () => {
    const scene = waiting();
    setOutcome(scene, "unplaceable");
    let looks = 0;
    const isThird = (request: HttpRequest) => isRequestTo("/evaluations")(request) && ++looks === 3;
    actOnce(scene, isThird, () => scene.send("DELETE", "/v1/job/web"));
    const json = { ...constrained, Type: "batch" };
    expect(await failureOf(scene, { ...program, json })).toContain(
      "never deployed: someone else stopped the job",
    );
  });
});

describe("a failed deployment", () => {
  const failing = { json: strict, wait: "deployment" };

  test("is an error that names the group and the cause; the state contains the ID", async () => {
    const scene = waiting();
    setOutcome(scene, "fails");
    const failure = await failureOf(scene, failing);
    expect(failure).toMatch(
      /Nomad job "default\/web": the deployment \w{8} failed: Failed due to unhealthy allocations/,
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
  ])("reports its cause even if other events follow: %s", async (why, event) => {
    const scene = waiting();
    setOutcome(scene, "fails");
    const timePasses = scene.world.onResponse;
    scene.world.onResponse = async (request, answer) => {
      await timePasses(request, answer);
      if (!request.path.endsWith("/allocations") || !Array.isArray(answer.json)) return;
      const later = [
        { Type: "Restarting", RestartReason: "Restart within policy" },
        { Type: "Alloc Unhealthy", Message: "Task not running by deadline" },
      ];
      // The task is still being restarted, so it has not failed itself.
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

  test("is retried by the next up, which updates the job", async () => {
    const scene = waiting();
    setOutcome(scene, "fails", { version: 0 });
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

  test("is reported again by an update without changes, which registers nothing", async () => {
    const scene = waiting();
    setOutcome(scene, "fails");
    await failureOf(scene, failing);
    const again = await scene.resource.update(failing).catch(String);
    expect(again).toMatch(/the deployment \w{8} failed/);
    expect(scene.registers).toHaveLength(1);
  });

  test("is drift if it rolls back the job, and the next up registers the new version again", async () => {
    const scene = waiting();
    const reverting = { ...web, Update: { ...strict.Update, AutoRevert: true } };
    await scene.resource.create({ json: reverting, wait: "deployment" });
    setOutcome(scene, "fails", { version: 1 });
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

  test("is also an error if a newer version canceled it, and the next up does not overwrite that version", async () => {
    const scene = waiting();
    const [group] = web.TaskGroups;
    actOnce(scene, isRequestTo("/deployments"), () =>
      scene.register({ ...web, TaskGroups: [{ ...group, Count: 5 }] }),
    );
    const failure = await failureOf(scene, { json: web, wait: "deployment" });
    expect(failure).toMatch(/the deployment \w{8} cancelled: Cancelled due to newer version of job/);
    expect(failure).toContain("Next: pulumi refresh to show the current job, then pulumi up");
    await expect(scene.resource.up({ json: web, wait: "deployment" })).rejects.toThrow(ConflictError);
    expect(await scene.held()).toMatchObject({ TaskGroups: [{ Count: 5 }] });
  });
});

describe("a wait for a deployment", () => {
  test("ends at the operation's timeout; the next update continues it and registers nothing", async () => {
    const scene = waiting();
    const program = { json: web, wait: "deployment", timeouts: { create: 5 } };
    const failure = await failureOf(scene, program);
    expect(failure).toContain('Nomad job "default/web": the deployment is not finished after the timeout');
    expect(failure).toMatch(/front \d of 2 healthy, \d placed \(deployment \w{8} running\)/);
    expect(scene.resource.id).toBe("default/web");
    await scene.resource.update(program);
    expect(scene.progress.at(-1)).toContain("successful");
    expect(scene.registers).toHaveLength(1);
    expect(scene.resource.record.pending).toBeUndefined();
  });

  test("continues after lost connections", async () => {
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

  test("starts after a registration whose response was lost", async () => {
    const scene = waiting();
    const passing = scene.world.fate;
    let sent = 0;
    scene.world.fate = (request) => (sent++ === 0 ? "response lost" : passing(request));
    await scene.resource.create({ json: web, wait: "deployment" });
    expect(scene.progress.at(-1)).toContain("successful");
  });

  test("sends no request if only the wait option is added", async () => {
    const scene = waiting();
    await scene.resource.create({ json: web });
    scene.world.requests.length = 0;
    await scene.resource.up({ json: web, wait: "deployment" });
    expect(scene.world.requests).toEqual([]);
  });
});

test("a change by someone else after an incomplete registration is a conflict, not a change by Nomad", async () => {
  const scene = waiting();
  const program = { json: web, wait: "deployment", timeouts: { create: 1 } };
  await failureOf(scene, program);
  await scene.register({ ...web, Priority: 77 });
  const failure = await scene.resource.update(program).catch(String);
  expect(failure).toMatch(/json\.Priority\s+50\s+50\s+77/);
  expect((await scene.held()).Priority).toBe(77);
});

import { answers } from "./in-process";
import { batchJob, MINUTE, Scene, SECOND, scene, serviceJob } from "./scheduler-scene";

const statuses = (items: readonly { Status: string }[]) => items.map(({ Status }) => Status);

describe("Evaluation", () => {
  test("is pending, then complete, with every field of the section", async () => {
    const scene = new Scene({ evaluationMilliseconds: 50 });
    const { EvalID, JobModifyIndex } = await scene.existing(serviceJob("web"));
    expect((await scene.get(`/evaluation/${EvalID}`)).body).toEqual({
      ID: EvalID,
      Namespace: "default",
      Priority: 50,
      Type: "service",
      TriggeredBy: "job-register",
      JobID: "web",
      JobModifyIndex,
      NodeID: "",
      NodeModifyIndex: 0,
      DeploymentID: "",
      Status: "pending",
      StatusDescription: "",
      Wait: 0,
      NextEval: "",
      PreviousEval: "",
      BlockedEval: "",
      FailedTGAllocs: null,
      ClassEligibility: null,
      EscapedComputedClass: false,
      AnnotatePlan: false,
      QueuedAllocations: null,
      SnapshotIndex: 0,
      CreateIndex: 2,
      ModifyIndex: 2,
      CreateTime: expect.any(Number),
      ModifyTime: expect.any(Number),
    });
    scene.pass(49);
    expect(statuses((await scene.get("/job/web/evaluations")).body)).toEqual(["pending"]);
    scene.pass(1);
    expect((await scene.get("/job/web/evaluations")).body[0]).toMatchObject({
      Status: "complete",
      QueuedAllocations: { web: 0 },
      CreateIndex: 2,
      SnapshotIndex: 2,
    });
  });

  test("an evaluation that cannot place its allocations creates a blocked evaluation", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "web", outcome: "unplaceable" }] });
    await scene.existing(serviceJob("web", {}, { Count: 3 }));
    scene.pass(SECOND);
    const [first, blocked] = (await scene.get("/job/web/evaluations")).body;
    expect(first).toMatchObject({
      Status: "complete",
      QueuedAllocations: { web: 3 },
      FailedTGAllocs: { web: { CoalescedFailures: 2 } },
      BlockedEval: blocked.ID,
    });
    expect(blocked).toMatchObject({
      Status: "blocked",
      TriggeredBy: "queued-allocs",
      PreviousEval: first.ID,
    });
    expect((await scene.get("/job/web/allocations")).body).toEqual([]);
    expect((await scene.get("/job/web/summary")).body.Summary.web.Queued).toBe(3);
  });

  test("a later evaluation cancels a blocked evaluation", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "web", version: 0, outcome: "unplaceable" }] });
    await scene.existing(serviceJob("web"));
    scene.pass(SECOND);
    await scene.existing(serviceJob("web", { Priority: 60 }));
    scene.pass(SECOND);
    expect(statuses((await scene.get("/job/web/evaluations")).body)).toEqual([
      "complete",
      "canceled",
      "complete",
    ]);
    expect((await scene.get("/job/web/allocations")).body).toHaveLength(1);
  });

  test("POST /job/:id/evaluate creates an evaluation, with or without a body", async () => {
    await scene.existing(serviceJob("web"));
    for (const body of [undefined, { JobID: "web", EvalOptions: { ForceReschedule: true } }]) {
      const { status, body: answer } = await scene.send("POST", "/job/web/evaluate", body);
      expect(status).toBe(200);
      expect(answer).toMatchObject({ EvalID: expect.any(String), EvalCreateIndex: answer.Index });
    }
    expect((await scene.get("/job/web/evaluations")).body).toHaveLength(3);
  });

  test.each([
    ["/job/web/evaluate", { JobID: "other" }, 400, "JobID not same as job name"],
    ["/job/web/evaluate", {}, 400, "Job ID must be specified"],
    ["/job/none/evaluate", undefined, 500, "job not found"],
    ["/job/cron/evaluate", undefined, 500, "can't evaluate periodic job"],
    ["/job/args/evaluate", undefined, 500, "can't evaluate parameterized job"],
  ])("%s with %j returns %d %s", async (path, sent, status, text) => {
    await scene.existing(serviceJob("web"));
    await scene.existing(batchJob("cron", { Periodic: { Spec: "@daily" } }));
    await scene.existing(batchJob("args", { ParameterizedJob: {} }));
    await answers(scene.send("POST", path, sent), status, text);
  });
});

describe("Allocation", () => {
  test("is pending, then running with the observed task events, with every field of the section", async () => {
    const scene = new Scene({ evaluationMilliseconds: 0, startMilliseconds: 200 });
    const { EvalID } = await scene.existing(batchJob("once"));
    const [placed] = (await scene.get("/job/once/allocations")).body;
    expect(placed).toEqual({
      ID: expect.any(String),
      EvalID,
      Name: "once.web[0]",
      Namespace: "default",
      NodeID: expect.any(String),
      NodeName: "node-1",
      PreviousAllocation: "",
      NextAllocation: "",
      RescheduleTracker: null,
      JobID: "once",
      JobType: "batch",
      JobVersion: 0,
      TaskGroup: "web",
      DesiredStatus: "run",
      DesiredDescription: "",
      ClientStatus: "pending",
      ClientDescription: "",
      TaskStates: null,
      DeploymentID: "",
      DeploymentStatus: null,
      CreateIndex: expect.any(Number),
      ModifyIndex: expect.any(Number),
      CreateTime: expect.any(Number),
      ModifyTime: expect.any(Number),
    });
    scene.pass(200);
    const { body } = await scene.get(`/allocation/${placed.ID}`);
    expect(body).toMatchObject({ ClientStatus: "running", CreateIndex: placed.CreateIndex });
    expect(body.ModifyIndex).toBeGreaterThan(placed.ModifyIndex);
    const { State, Failed, Events } = body.TaskStates.server;
    expect([State, Failed]).toEqual(["running", false]);
    expect(Events.map(({ Type }: { Type: string }) => Type)).toEqual([
      "Received",
      "Task Setup",
      "Driver",
      "Started",
    ]);
    expect(Object.keys(Events[0]).sort()).toEqual(
      [
        ...["DiskLimit", "DownloadError", "DriverError", "DriverMessage", "ExitCode", "FailedSibling"],
        ...[
          "FailsTask",
          "KillError",
          "KillReason",
          "KillTimeout",
          "Message",
          "RestartReason",
          "SecretsError",
        ],
        ...["SetupError", "Signal", "StartDelay", "TaskSignal", "TaskSignalReason", "Time", "Type"],
        "ValidationError",
      ].sort(),
    );
  });

  test("the allocations of a batch job complete, and the job is then dead", async () => {
    const scene = new Scene({ batchMilliseconds: 1000 });
    await scene.existing(batchJob("once", {}, { Count: 2 }));
    scene.pass(500);
    expect((await scene.job("once")).Status).toBe("running");
    scene.pass(MINUTE);
    expect((await scene.job("once")).Status).toBe("dead");
    expect((await scene.get("/job/once/summary")).body.Summary.web).toMatchObject({
      Complete: 2,
      Running: 0,
    });
    expect((await scene.get("/job/once/deployment")).body).toBeNull();
    const [done] = (await scene.get("/job/once/allocations")).body;
    expect(done.TaskStates.server).toMatchObject({ State: "dead", Failed: false });
    expect(done.TaskStates.server.Events.at(-1)).toMatchObject({ ExitCode: 0, FailsTask: false });
  });

  test("a batch job runs once per version, not again for another evaluation of the same version", async () => {
    await scene.existing(batchJob("once"));
    scene.pass(MINUTE);
    await scene.existing(batchJob("once"));
    scene.pass(MINUTE);
    expect((await scene.get("/job/once/allocations")).body).toHaveLength(1);
    await scene.existing(batchJob("once", { Priority: 60 }));
    scene.pass(MINUTE);
    const { body } = await scene.get("/job/once/allocations");
    expect(body.map(({ JobVersion }: { JobVersion: number }) => JobVersion)).toEqual([0, 1]);
  });

  test("a failing allocation has an exit code, followed by the events of its shutdown", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "once", outcome: "fails" }] });
    await scene.existing(batchJob("once"));
    scene.pass(MINUTE);
    const [failed] = (await scene.get("/job/once/allocations")).body;
    expect(failed).toMatchObject({
      ClientStatus: "failed",
      TaskStates: { server: { State: "dead", Failed: true } },
    });
    expect(failed.TaskStates.server.Events.slice(-4)).toMatchObject([
      { Type: "Terminated", ExitCode: 1 },
      { Type: "Not Restarting", FailsTask: true },
      { Type: "Alloc Unhealthy" },
      { Type: "Killing" },
    ]);
  });

  test("a system job has an allocation on every node", async () => {
    const scene = new Scene({ nodes: 3 });
    await scene.existing(serviceJob("agent", { Type: "system" }));
    scene.pass(SECOND);
    const { body } = await scene.get("/job/agent/allocations");
    expect(new Set(body.map(({ NodeID }: { NodeID: string }) => NodeID)).size).toBe(3);
  });

  test("a smaller count stops the last allocations, and a larger count uses the free indexes", async () => {
    const scene = new Scene({}, {});
    const names = async () =>
      (await scene.get("/job/web/allocations")).body
        .filter((item: { DesiredStatus: string }) => item.DesiredStatus === "run")
        .map((item: { Name: string }) => item.Name);
    for (const [count, left] of [
      [3, ["web.web[0]", "web.web[1]", "web.web[2]"]],
      [1, ["web.web[0]"]],
      [2, ["web.web[0]", "web.web[1]"]],
    ] as const) {
      await scene.existing(serviceJob("web", {}, { Count: count }));
      scene.pass(MINUTE);
      expect(await names()).toEqual(left);
    }
  });

  test("the allocations of a removed group and of a purged job stop", async () => {
    const other = { Name: "other", Tasks: [{ Name: "t", Driver: "exec" }] };
    const both = serviceJob("web") as { TaskGroups: object[] };
    await scene.existing({ ...both, TaskGroups: [...both.TaskGroups, other] });
    scene.pass(MINUTE);
    await scene.existing(both);
    scene.pass(MINUTE);
    const running = async () =>
      (await scene.get("/job/web/allocations?all=true")).body
        .filter((item: { ClientStatus: string }) => item.ClientStatus === "running")
        .map((item: { TaskGroup: string }) => item.TaskGroup);
    expect(await running()).toEqual(["web"]);
    await scene.send("DELETE", "/job/web?purge=true");
    scene.pass(MINUTE);
    expect(await running()).toEqual([]);
  });
});

describe("Deployment", () => {
  test("runs until all allocations are healthy for MinHealthyTime, with every field of the section", async () => {
    const scene = new Scene({ evaluationMilliseconds: 0, startMilliseconds: 0 });
    const { JobModifyIndex } = await scene.existing(serviceJob("web", {}, { Count: 2 }));
    scene.pass(9 * SECOND);
    const { body } = await scene.get("/job/web/deployment");
    expect(body).toEqual({
      ID: expect.any(String),
      Namespace: "default",
      JobID: "web",
      JobVersion: 0,
      JobModifyIndex: expect.any(Number),
      JobSpecModifyIndex: JobModifyIndex,
      JobCreateIndex: JobModifyIndex,
      EvalPriority: 50,
      IsMultiregion: false,
      Status: "running",
      StatusDescription: "Deployment is running",
      TaskGroups: {
        web: {
          AutoPromote: false,
          AutoRevert: false,
          DesiredCanaries: 0,
          DesiredTotal: 2,
          PlacedAllocs: 2,
          PlacedCanaries: null,
          HealthyAllocs: 0,
          UnhealthyAllocs: 0,
          ProgressDeadline: 600_000_000_000,
          Promoted: false,
          RequireProgressBy: expect.stringMatching(/^2030-01-01T00:10:0/),
        },
      },
      CreateIndex: expect.any(Number),
      ModifyIndex: expect.any(Number),
      CreateTime: expect.any(Number),
      ModifyTime: expect.any(Number),
    });
    expect(await scene.job("web")).toMatchObject({ Status: "running", Stable: false });
    scene.pass(SECOND);
    expect((await scene.get(`/deployment/${body.ID}`)).body).toMatchObject({
      Status: "successful",
      StatusDescription: "Deployment completed successfully",
      TaskGroups: { web: { HealthyAllocs: 2 } },
    });
    expect(await scene.job("web")).toMatchObject({ Stable: true, JobModifyIndex });
  });

  test("replaces MaxParallel allocations at a time", async () => {
    const group = { Count: 3, Update: { MaxParallel: 1 } };
    await scene.existing(serviceJob("web", {}, group, { Env: { A: "1" } }));
    scene.pass(MINUTE);
    await scene.existing(serviceJob("web", {}, group, { Env: { A: "2" } }));
    const placed: number[] = [];
    for (let round = 0; round < 4; round++) {
      scene.pass(11 * SECOND);
      const { body } = await scene.get("/job/web/deployment");
      placed.push(body.TaskGroups.web.PlacedAllocs);
    }
    expect(placed).toEqual([2, 3, 3, 3]);
    expect((await scene.get("/job/web/deployment")).body.Status).toBe("successful");
    const { body } = await scene.get("/job/web/allocations");
    expect(
      body.filter(({ ClientStatus }: { ClientStatus: string }) => ClientStatus === "running"),
    ).toHaveLength(3);
    const replaced = body.find((item: { JobVersion: number }) => item.JobVersion === 0);
    expect(body.find((item: { ID: string }) => item.ID === replaced.NextAllocation)).toMatchObject({
      PreviousAllocation: replaced.ID,
      JobVersion: 1,
    });
  });

  test("a priority change updates the allocation in place", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    const [before] = (await scene.get("/job/web/allocations")).body;
    await scene.existing(serviceJob("web", { Priority: 60 }));
    scene.pass(MINUTE);
    const after = (await scene.get("/job/web/allocations")).body;
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ ID: before.ID, JobVersion: 1 });
  });

  test("is canceled by a newer version of the job and by stopping the job", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(SECOND);
    await scene.existing(serviceJob("web", { Priority: 60 }));
    scene.pass(SECOND);
    await scene.send("DELETE", "/job/web");
    scene.pass(SECOND);
    const { body } = await scene.get("/job/web/deployments");
    expect(body).toMatchObject([
      { JobVersion: 0, Status: "cancelled", StatusDescription: "Cancelled due to newer version of job" },
      { JobVersion: 1, Status: "cancelled", StatusDescription: "Cancelled because job is stopped" },
    ]);
    scene.pass(MINUTE);
    expect(await scene.job("web")).toMatchObject({ Status: "dead", Stop: true });
  });

  test("fails at its progress deadline if no allocation becomes healthy", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "web", group: "web", outcome: "never-healthy" }] });
    await scene.existing(serviceJob("web"));
    scene.pass(6 * MINUTE);
    expect((await scene.get("/job/web/deployment")).body).toMatchObject({
      Status: "running",
      TaskGroups: { web: { UnhealthyAllocs: 1 } },
    });
    scene.pass(5 * MINUTE);
    expect((await scene.get("/job/web/deployment")).body).toMatchObject({
      Status: "failed",
      StatusDescription: "Failed due to progress deadline",
    });
  });

  test("fails at the first unhealthy allocation if it has no progress deadline", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "web", outcome: "fails" }] });
    await scene.existing(serviceJob("web", {}, { Update: { ProgressDeadline: 0 } }));
    scene.pass(SECOND);
    expect((await scene.get("/job/web/deployment")).body).toMatchObject({
      Status: "failed",
      StatusDescription: "Failed due to unhealthy allocations",
    });
  });

  test("a failed deployment with AutoRevert reverts the job to its stable version", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "web", version: 1, outcome: "fails" }] });
    const group = { Update: { AutoRevert: true, ProgressDeadline: 0 } };
    await scene.existing(serviceJob("web", {}, group, { Env: { A: "1" } }));
    scene.pass(MINUTE);
    await scene.existing(serviceJob("web", {}, group, { Env: { A: "2" } }));
    scene.pass(MINUTE);
    const job = await scene.job("web");
    expect(job).toMatchObject({ Version: 2, Stable: true });
    expect(job.TaskGroups[0].Tasks[0].Env).toEqual({ A: "1" });
    expect((await scene.get("/job/web/deployments")).body).toMatchObject([
      { Status: "successful" },
      {
        Status: "failed",
        StatusDescription: "Failed due to unhealthy allocations - rolling back to job version 0",
      },
      { Status: "successful" },
    ]);
  });

  test("a failed deployment with AutoRevert reports that no stable version exists", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "web", outcome: "fails" }] });
    await scene.existing(serviceJob("web", {}, { Update: { AutoRevert: true, ProgressDeadline: 0 } }));
    scene.pass(SECOND);
    expect((await scene.get("/job/web/deployment")).body.StatusDescription).toBe(
      "Failed due to unhealthy allocations - no stable job version to auto revert to",
    );
  });

  describe("with canaries", () => {
    const canaried = async (update: object = {}) => {
      const scene = new Scene();
      const group = { Count: 2, Update: { Canary: 1, ...update } };
      await scene.existing(serviceJob("web", {}, group, { Env: { A: "1" } }));
      scene.pass(MINUTE);
      await scene.existing(serviceJob("web", {}, group, { Env: { A: "2" } }));
      scene.pass(MINUTE);
      return { scene, deployment: (await scene.get("/job/web/deployment")).body };
    };

    test("waits for the promotion and then replaces the other allocations", async () => {
      const { scene, deployment } = await canaried();
      expect(deployment).toMatchObject({
        Status: "running",
        StatusDescription: "Deployment is running but requires manual promotion",
        TaskGroups: { web: { DesiredCanaries: 1, PlacedAllocs: 1, HealthyAllocs: 1, Promoted: false } },
      });
      const live = (await scene.get("/job/web/allocations")).body.filter(
        (item: { ClientStatus: string }) => item.ClientStatus === "running",
      );
      expect(live).toHaveLength(3);
      const { body: scale } = await scene.get("/job/web/scale");
      expect(scale.TaskGroups.web).toMatchObject({ Desired: 2, Placed: 2, Running: 2 });
      const { status, body } = await scene.send("PUT", `/deployment/promote/${deployment.ID}`, {
        DeploymentID: deployment.ID,
        All: true,
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ EvalID: expect.stringMatching(/./), DeploymentModifyIndex: body.Index });
      scene.pass(MINUTE);
      expect((await scene.get("/job/web/deployment")).body).toMatchObject({
        Status: "successful",
        TaskGroups: { web: { Promoted: true, HealthyAllocs: 2 } },
      });
      const { body: summary } = await scene.get("/job/web/summary");
      expect(summary.Summary.web).toMatchObject({ Running: 2, Complete: 2 });
    });

    test("promotes the canaries automatically with AutoPromote", async () => {
      const { deployment } = await canaried({ AutoPromote: true });
      expect(deployment).toMatchObject({ Status: "successful", TaskGroups: { web: { Promoted: true } } });
    });

    test("cannot be promoted before the canaries are healthy or after the deployment ended", async () => {
      const scene = new Scene({}, { outcomes: [{ job: "web", version: 1, outcome: "never-healthy" }] });
      const group = { Update: { Canary: 1 } };
      await scene.existing(serviceJob("web", {}, group, { Env: { A: "1" } }));
      scene.pass(MINUTE);
      await scene.existing(serviceJob("web", {}, group, { Env: { A: "2" } }));
      scene.pass(SECOND);
      const { ID } = (await scene.get("/job/web/deployment")).body;
      const early = await scene.send("PUT", `/deployment/promote/${ID}`, { DeploymentID: ID, All: true });
      expect([early.status, early.body]).toEqual([
        500,
        '1 error occurred:\n\t* Task group "web" has 0/1 healthy allocations\n\n',
      ]);
      await answers(scene.send("PUT", `/deployment/fail/${ID}`, {}), 200);
      expect((await scene.get(`/deployment/${ID}`)).body).toMatchObject({
        Status: "failed",
        StatusDescription: "Deployment marked as failed",
      });
      const late = await scene.send("PUT", `/deployment/promote/${ID}`, { DeploymentID: ID, All: true });
      expect([late.status, late.body]).toEqual([500, "can't promote terminal deployment"]);
    });
  });
});

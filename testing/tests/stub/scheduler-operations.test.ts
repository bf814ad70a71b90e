import { answers } from "./in-process";
import { batchJob, MINUTE, Scene, START, scene, serviceJob, TOKENS } from "./scheduler-scene";

describe("Scale", () => {
  const deployed = async (group: object = {}) => {
    const scene = new Scene();
    await scene.existing(serviceJob("web", {}, group));
    scene.pass(MINUTE);
    return scene;
  };
  const scale = (scene: Scene, fields: object, id = "web") =>
    scene.send("POST", `/job/${id}/scale`, { Target: { Group: "web" }, ...fields });

  test("sets a group's count in a new version and increases JobModifyIndex", async () => {
    const scene = await deployed();
    const before = await scene.job("web");
    const { status, body } = await scale(scene, { Count: 3, Message: "more", Meta: { why: "load" } });
    expect(status).toBe(200);
    const job = await scene.job("web");
    expect(job).toMatchObject({ Version: 1, JobModifyIndex: body.JobModifyIndex });
    expect(job.JobModifyIndex).toBeGreaterThan(before.JobModifyIndex);
    expect(job.TaskGroups[0].Count).toBe(3);
    expect((await scene.get(`/evaluation/${body.EvalID}`)).body.TriggeredBy).toBe("job-scaling");
    scene.pass(MINUTE);
    expect((await scene.get("/job/web/scale")).body).toEqual({
      JobID: "web",
      Namespace: "default",
      JobCreateIndex: job.CreateIndex,
      JobModifyIndex: expect.any(Number),
      JobStopped: false,
      TaskGroups: {
        web: {
          Desired: 3,
          Placed: 3,
          Running: 3,
          Healthy: 3,
          Unhealthy: 0,
          Events: [
            {
              Time: (START + MINUTE) * 1_000_000,
              Count: 3,
              PreviousCount: 1,
              Message: "more",
              Error: false,
              Meta: { why: "load" },
              EvalID: body.EvalID,
              CreateIndex: body.Index,
            },
          ],
        },
      },
    });
  });

  test("without a count, only the scaling event is recorded", async () => {
    const scene = await deployed();
    const { status, body } = await scale(scene, { Message: "cannot", Error: true });
    expect([status, body.EvalID]).toEqual([200, ""]);
    expect(await scene.job("web")).toMatchObject({ Version: 0 });
    const { Events } = (await scene.get("/job/web/scale")).body.TaskGroups.web;
    expect(Events).toMatchObject([{ Count: null, Error: true, Message: "cannot", EvalID: null }]);
  });

  test.each([
    [{ Target: {}, Count: 1 }, 400, "missing task group name for scaling action"],
    [{ Target: { Group: "web", Job: "x" } }, 400, "job ID in payload did not match URL"],
    [{ Target: { Group: "web", Namespace: "x" } }, 400, "namespace in payload did not match header"],
    [
      { Target: { Group: "nope" }, Count: 1 },
      400,
      'task group "nope" specified for scaling does not exist in job',
    ],
    [{ Count: -1 }, 400, "scaling action count can't be negative"],
    [{ Count: 1, Error: true }, 400, "scaling action should not contain count if error is true"],
    [{ Count: 5 }, 400, "group count was greater than scaling policy maximum: 5 > 4"],
    [{ Count: 0 }, 400, "group count was less than scaling policy minimum: 0 < 1"],
    [
      { Count: 2, JobModifyIndex: 99 },
      500,
      "Enforcing job modify index 99: job exists with conflicting job modify index: 2",
    ],
  ])("%j returns %d", async (fields, status, text) => {
    const scene = await deployed({ Scaling: { Min: 1, Max: 4 } });
    await answers(scale(scene, fields), status, text);
  });

  test("returns 400 while a deployment is active", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(1000);
    await answers(scale(scene, { Count: 2 }), 400, "job scaling blocked due to active deployment");
  });

  test("POST and GET return 404 for a missing job", async () => {
    expect((await scale(scene, { Count: 2 }, "none")).body).toBe('job "none" not found');
    await answers(scene.get("/job/none/scale"), 404);
  });

  test("a system job can only be scaled between 0 and 1 and cannot have a scaling block", async () => {
    await scene.existing(serviceJob("agent", { Type: "system" }));
    const { status, body } = await scale(scene, { Count: 2 }, "agent");
    expect([status, body]).toEqual([400, 'jobs of type "system" can only be scaled between 0 and 1']);
    const scaled = serviceJob("s", { Type: "system" }, { Scaling: { Max: 1 } });
    expect((await scene.register(scaled)).body).toBe(
      "Task groups with job type system do not support scaling blocks",
    );
  });

  test("scaling a periodic job creates no evaluation", async () => {
    await scene.existing(batchJob("cron", { Periodic: { Spec: "@daily" } }));
    const { body } = await scale(scene, { Count: 2 }, "cron");
    expect(body).toMatchObject({ EvalID: "", EvalCreateIndex: 0 });
    expect((await scene.job("cron")).TaskGroups[0].Count).toBe(2);
  });

  test("the ID of a scaling policy does not change with a new version", async () => {
    const scene = await deployed({ Scaling: { Max: 4 } });
    const id = (await scene.job("web")).TaskGroups[0].Scaling.ID;
    await scene.existing(serviceJob("web", { Priority: 60 }, { Scaling: { Max: 5 } }));
    expect((await scene.job("web")).TaskGroups[0].Scaling).toMatchObject({ ID: id, Max: 5, Min: 1 });
  });
});

describe("Plan", () => {
  const plan = (scene: Scene, job: object, fields: object = {}, id = "web") =>
    scene.send("POST", `/job/${id}/plan`, { Job: job, Diff: true, ...fields });

  test("returns the placements and the diff of a new job and writes nothing", async () => {
    const before = scene.service.dump();
    const { status, body } = await plan(scene, serviceJob("web", {}, { Count: 2 }));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Annotations: { DesiredTGUpdates: { web: { Place: 2, Stop: 0, DestructiveUpdate: 0 } } },
      FailedTGAllocs: null,
      JobModifyIndex: 0,
      Diff: {
        Type: "Added",
        ID: "web",
        TaskGroups: [
          { Type: "Added", Name: "web", Updates: { create: 2 }, Tasks: [{ Annotations: ["forces create"] }] },
        ],
      },
    });
    expect(scene.service.dump()).toEqual(before);
  });

  test("distinguishes replacements from in-place updates and returns the index to enforce", async () => {
    await scene.existing(serviceJob("web", {}, { Count: 2 }, { Env: { A: "1" } }));
    scene.pass(MINUTE);
    const { JobModifyIndex } = await scene.job("web");
    const replaced = await plan(scene, serviceJob("web", {}, { Count: 2 }, { Env: { A: "2" } }));
    expect(replaced.body).toMatchObject({
      JobModifyIndex,
      Annotations: { DesiredTGUpdates: { web: { Ignore: 1, DestructiveUpdate: 1 } } },
      Diff: {
        TaskGroups: [
          {
            Updates: { "create/destroy update": 1, ignore: 1 },
            Tasks: [{ Annotations: ["forces create/destroy update"] }],
          },
        ],
      },
    });
    const task = { Env: { A: "1" }, KillTimeout: 9_000_000_000 };
    const inPlace = await plan(scene, serviceJob("web", {}, { Count: 2 }, task));
    expect(inPlace.body).toMatchObject({
      Annotations: { DesiredTGUpdates: { web: { InPlaceUpdate: 2, DestructiveUpdate: 0 } } },
      Diff: { TaskGroups: [{ Tasks: [{ Annotations: ["forces in-place update"] }] }] },
    });
  });

  test("annotates a restart policy of a task as create/destroy, although the update is in place", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    const { body } = await plan(scene, serviceJob("web", {}, {}, { RestartPolicy: { Attempts: 1 } }));
    expect(body).toMatchObject({
      Annotations: { DesiredTGUpdates: { web: { InPlaceUpdate: 1, DestructiveUpdate: 0 } } },
      Diff: { TaskGroups: [{ Tasks: [{ Annotations: ["forces create/destroy update"] }] }] },
    });
  });

  test.each([
    ["a service of the group", {}, { Services: [{ Name: "web", PortLabel: "" }] }, {}, "InPlaceUpdate"],
    [
      "a constraint",
      { Constraints: [{ LTarget: "linux", RTarget: "linux", Operand: "=" }] },
      {},
      {},
      "InPlaceUpdate",
    ],
    ["the job's priority", { Priority: 70 }, {}, {}, "InPlaceUpdate"],
    ["the number of log files", {}, {}, { LogConfig: { MaxFiles: 3 } }, "InPlaceUpdate"],
    ["disabled logs", {}, {}, { LogConfig: { Disabled: true } }, "DestructiveUpdate"],
    ["the job's meta", { Meta: { a: "b" } }, {}, {}, "DestructiveUpdate"],
    ["the memory of a task", {}, {}, { Resources: { MemoryMB: 500 } }, "DestructiveUpdate"],
    ["the driver of a task", {}, {}, { Driver: "exec" }, "DestructiveUpdate"],
    ["an ephemeral disk", {}, { EphemeralDisk: { SizeMB: 500 } }, {}, "DestructiveUpdate"],
  ])("plans a change of %s as an in-place or a destructive update", async (_, job, group, task, member) => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    const { body } = await plan(scene, serviceJob("web", job, group, task));
    expect(body.Annotations.DesiredTGUpdates.web).toMatchObject({ [member]: 1, Place: 0, Stop: 0 });
  });

  test.each([
    ["*/15 * * * *", "UTC", "2030-01-01T00:15:00Z"],
    ["0 2 * * *", "UTC", "2030-01-01T02:00:00Z"],
    ["0 2 * * *", "Europe/Berlin", "2030-01-01T01:00:00Z"],
    ["30 6 * * MON-FRI", "UTC", "2030-01-01T06:30:00Z"],
    ["0 0 1 2 *", "UTC", "2030-02-01T00:00:00Z"],
    ["0 0 29 2 *", "UTC", "2032-02-29T00:00:00Z"],
    ["0 0 13 * 5", "UTC", "2030-01-04T00:00:00Z"],
    ["@hourly", "UTC", "2030-01-01T01:00:00Z"],
    ["0 0 ? * 7", "UTC", "2030-01-06T00:00:00Z"],
    ["0 0 L * *", "UTC", "2030-01-31T00:00:00Z"],
    ["0 0 * * 5L", "UTC", "2030-01-25T00:00:00Z"],
    ["0 0 * * 5#2", "UTC", "2030-01-11T00:00:00Z"],
    ["0 0 20W * *", "UTC", "2030-01-21T00:00:00Z"],
    ["0 0 LW 3 *", "UTC", "2030-03-29T00:00:00Z"],
    ["5/15 * * * *", "UTC", "2030-01-01T00:05:00Z"],
    ["0 0 1 1 * 2035", "UTC", "2035-01-01T00:00:00Z"],
    ["30 0 0 1 1 * 2035", "UTC", "2035-01-01T00:00:30Z"],
    ["0 0 1 * * * * *", "UTC", "2030-01-01T01:00:00Z"],
    ["0 0 30 2 *", "UTC", null],
    ["0 0 1 * * 2020", "UTC", null],
  ])("the next launch of the schedule %s in %s is %s", async (Spec, TimeZone, launch) => {
    const { body } = await plan(scene, serviceJob("web", { Type: "batch", Periodic: { Spec, TimeZone } }));
    expect(body.NextPeriodicLaunch).toBe(launch);
    expect(body.Annotations.DesiredTGUpdates.web).toMatchObject({ Place: 1 });
  });

  test("annotates a larger count with create and a smaller count with destroy", async () => {
    await scene.existing(serviceJob("web", {}, { Count: 2 }));
    scene.pass(MINUTE);
    for (const [count, annotation] of [
      [3, "forces create"],
      [1, "forces destroy"],
    ]) {
      const { body } = await plan(scene, serviceJob("web", {}, { Count: count }));
      expect(body.Diff.TaskGroups[0].Fields).toMatchObject([{ Name: "Count", Annotations: [annotation] }]);
    }
  });

  test("returns an empty diff for an unchanged job", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    const { body } = await plan(scene, serviceJob("web"));
    expect(body.Diff).toEqual({ Type: "None", ID: "web", Fields: null, Objects: null, TaskGroups: null });
    expect((await plan(scene, serviceJob("web"), { Diff: false })).body.Diff).toBeNull();
  });

  test("returns the groups that cannot be placed", async () => {
    const scene = new Scene({}, { outcomes: [{ job: "web", outcome: "unplaceable" }] });
    const { body } = await plan(scene, serviceJob("web", {}, { Count: 3 }));
    expect(body.FailedTGAllocs).toMatchObject({ web: { CoalescedFailures: 2 } });
  });

  test.each([
    [{ Job: null }, 400, "Job must be specified"],
    [{ Job: {} }, 400, "Job must have a valid ID"],
    [{ Job: { ID: "other" } }, 400, "Job ID does not match"],
  ])("returns an error for %j", async (sent, status, text) => {
    await answers(scene.send("POST", "/job/web/plan", sent), status, text);
  });

  test("rejects an invalid job like a registration; PolicyOverride needs the permission policy-override", async () => {
    expect((await plan(scene, { ID: "web" })).body).toContain("Missing job task groups");
    const as = (token: string) =>
      scene.send("POST", "/job/web/plan", { Job: serviceJob("web"), PolicyOverride: true }, { as: token });
    await answers(as(TOKENS.submitter), 403);
    await answers(as(TOKENS.overrider), 200);
  });
});

describe("Periodic force", () => {
  test("launches a child job immediately, and a second child on a later request", async () => {
    await scene.existing(batchJob("cron", { Periodic: { Spec: "@daily" }, Meta: { a: "1" } }));
    const { status, body } = await scene.send("PUT", "/job/cron/periodic/force");
    expect([status, body]).toEqual([200, { EvalID: expect.any(String), EvalCreateIndex: 3, Index: 3 }]);
    const id = `cron/periodic-${START / 1000}`;
    expect(await scene.job(encodeURIComponent(id))).toMatchObject({
      ParentID: "cron",
      Periodic: null,
      Meta: { a: "1" },
      Version: 0,
    });
    scene.pass(MINUTE);
    await scene.send("PUT", "/job/cron/periodic/force");
    expect((await scene.get("/jobs?prefix=cron/")).body).toHaveLength(2);
  });

  test.each([
    ["none", "job not found"],
    ["web", "can't force launch non-periodic job"],
  ])("returns 500 for the job %s: %s", async (id, text) => {
    await scene.existing(serviceJob("web"));
    await answers(scene.send("PUT", `/job/${id}/periodic/force`), 500, text);
  });
});

describe("Dispatch", () => {
  const dispatch = (scene: Scene, body: object, query = "") =>
    scene.send("POST", `/job/args/dispatch${query}`, body);
  const parameterizedJob = async (parameterized: object = {}) => {
    const scene = new Scene();
    await scene.existing(batchJob("args", { ParameterizedJob: parameterized, Meta: { base: "1" } }));
    return scene;
  };

  test("launches a child job with the payload and the meta values", async () => {
    const scene = await parameterizedJob({ MetaOptional: ["who"] });
    const Payload = Buffer.from("hello").toString("base64");
    const { status, body } = await dispatch(scene, { Payload, Meta: { who: "me" }, Priority: 70 });
    expect(status).toBe(200);
    expect(body).toEqual({
      DispatchedJobID: expect.stringMatching(/^args\/dispatch-\d+-[0-9a-f]{8}$/),
      EvalID: expect.stringMatching(/./),
      EvalCreateIndex: 3,
      JobCreateIndex: 3,
      Index: 3,
    });
    expect(await scene.job(encodeURIComponent(body.DispatchedJobID))).toMatchObject({
      ParentID: "args",
      Dispatched: true,
      Payload,
      Priority: 70,
      Meta: { base: "1", who: "me" },
    });
    scene.pass(MINUTE);
    expect((await scene.job(encodeURIComponent(body.DispatchedJobID))).Status).toBe("dead");
    expect((await scene.job("args")).Status).toBe("running");
  });

  test("accepts the largest payload and the highest priority", async () => {
    await answers(
      dispatch(await parameterizedJob(), { Payload: Buffer.alloc(16_384).toString("base64") }),
      200,
    );
    await answers(dispatch(await parameterizedJob(), { Priority: 100 }), 200);
  });

  test("IdPrefixTemplate becomes a part of the child's ID", async () => {
    const { body } = await dispatch(await parameterizedJob(), { IdPrefixTemplate: "nightly" });
    expect(body.DispatchedJobID).toMatch(/^args\/dispatch-nightly-/);
  });

  test("a repeated idempotency token launches no second child", async () => {
    const scene = await parameterizedJob();
    const first = await dispatch(scene, {}, "?idempotency_token=once");
    const second = await dispatch(scene, { IdempotencyToken: "once" });
    expect(second.body).toMatchObject({ DispatchedJobID: first.body.DispatchedJobID, EvalID: "" });
    expect((await scene.get("/jobs?prefix=args/")).body).toHaveLength(1);
  });

  test.each([
    [{ Payload: "required" }, {}, "Payload is not provided but required by parameterized job"],
    [{ Payload: "forbidden" }, { Payload: "YQ==" }, "Payload provided but forbidden by parameterized job"],
    [{}, { Payload: Buffer.alloc(16_385).toString("base64") }, "Payload exceeds maximum size; 16385 > 16384"],
    [{}, { Meta: { x: "1" } }, "Dispatch request included unpermitted metadata keys: [x]"],
    [{ MetaRequired: ["x"] }, {}, "Dispatch did not provide required meta keys: [x]"],
    [{}, { Priority: 101 }, "dispatch job priority must be between [1, 100]"],
  ])("a job with the block %j rejects the request %j", async (parameterized, sent, text) => {
    await answers(dispatch(await parameterizedJob(parameterized), sent), 500, text);
  });

  test("rejects a job that is not parameterized, missing or stopped, and a different job ID", async () => {
    const scene = await parameterizedJob();
    await scene.existing(serviceJob("web"));
    expect((await scene.send("POST", "/job/web/dispatch", {})).body).toBe(
      'Specified job "web" is not a parameterized job',
    );
    expect((await scene.send("POST", "/job/none/dispatch", {})).body).toBe("parameterized job not found");
    await answers(dispatch(scene, { JobID: "other" }), 400);
    await scene.send("DELETE", "/job/args");
    expect((await dispatch(scene, {})).body).toBe('Specified job "args" is stopped');
  });
});

describe("Validate", () => {
  test("returns no errors for a valid job and the validation errors of an invalid job", async () => {
    const right = await scene.send("POST", "/validate/job", { Job: serviceJob("web") });
    expect(right.body).toEqual({
      DriverConfigValidated: true,
      ValidationErrors: null,
      Error: "",
      Warnings: "",
    });
    const wrong = await scene.send("POST", "/validate/job", { Job: { ID: "web" } });
    expect(wrong.body).toMatchObject({
      ValidationErrors: ["Missing job task groups"],
      Error: "1 error occurred:\n\t* Missing job task groups\n\n",
    });
    await answers(scene.send("POST", "/validate/job", {}), 400);
  });
});

describe("Evaluations, allocations and deployments", () => {
  test.each(["evaluation", "allocation", "deployment"])("returns 404 for an unknown %s", async (family) => {
    await answers(scene.get(`/${family}/none`), 404);
  });

  test("reading a record requires permission in its namespace", async () => {
    const { EvalID } = await scene.existing(serviceJob("a", { Namespace: "team-web" }));
    await answers(scene.get(`/evaluation/${EvalID}`, { as: TOKENS.reader }), 403);
    await answers(scene.get(`/evaluation/${EvalID}`), 200);
  });

  test("evaluations can be listed by prefix, status and job, but not together with a filter", async () => {
    const { EvalID } = await scene.existing(serviceJob("a"));
    await scene.existing(serviceJob("b"));
    scene.pass(MINUTE);
    expect((await scene.get("/evaluations?job=a")).body).toHaveLength(1);
    expect((await scene.get("/evaluations?status=blocked")).body).toEqual([]);
    expect((await scene.get(`/evaluations?prefix=${EvalID.slice(0, 8)}`)).body).toHaveLength(1);
    expect((await scene.get("/allocations")).body).toHaveLength(2);
    await answers(scene.get("/evaluations?job=a&filter=JobID==a"), 400);
  });
});

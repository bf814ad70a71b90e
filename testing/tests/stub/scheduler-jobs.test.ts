import { answers } from "./in-process";
import { batchJob, MINUTE, Scene, SECOND, START, scene, serviceJob } from "./scheduler-scene";

describe("List jobs", () => {
  test("returns job stubs with every field of the section", async () => {
    const { JobModifyIndex } = await scene.existing(serviceJob("web", { Meta: { owner: "team-web" } }));
    const { body } = await scene.get("/jobs");
    expect(body).toEqual([
      {
        ID: "web",
        ParentID: "",
        Name: "web",
        Namespace: "default",
        Datacenters: ["*"],
        NodePool: "default",
        Multiregion: null,
        Type: "service",
        Priority: 50,
        Periodic: false,
        ParameterizedJob: false,
        Stop: false,
        Status: "pending",
        StatusDescription: "",
        JobSummary: {
          JobID: "web",
          Namespace: "default",
          Summary: {
            web: { Queued: 0, Complete: 0, Failed: 0, Running: 0, Starting: 0, Lost: 0, Unknown: 0 },
          },
          Children: { Pending: 0, Running: 0, Dead: 0 },
          CreateIndex: JobModifyIndex,
          ModifyIndex: JobModifyIndex,
        },
        CreateIndex: JobModifyIndex,
        ModifyIndex: JobModifyIndex,
        JobModifyIndex,
        SubmitTime: START * 1_000_000,
      },
    ]);
  });

  test("prefix selects the IDs that start with it", async () => {
    for (const id of ["web", "web-2", "my-web"]) await scene.existing(serviceJob(id));
    const { body } = await scene.get("/jobs?prefix=web");
    expect(body.map(({ ID }: { ID: string }) => ID)).toEqual(["web", "web-2"]);
  });

  test("meta=true includes each job's Meta", async () => {
    await scene.existing(serviceJob("web", { Meta: { owner: "team-web" } }));
    expect((await scene.get("/jobs?meta=true")).body[0].Meta).toEqual({ owner: "team-web" });
    expect((await scene.get("/jobs?meta=false")).body[0]).not.toHaveProperty("Meta");
    await answers(scene.get("/jobs?meta=maybe"), 500);
  });

  test("the summary counts a job's children by status", async () => {
    await scene.existing(batchJob("args", { ParameterizedJob: {} }, { Count: 2 }));
    await scene.send("PUT", "/job/args/dispatch", {});
    scene.pass(500);
    const { body } = await scene.get("/job/args/summary");
    expect(body.Children).toEqual({ Pending: 0, Running: 1, Dead: 0 });
    scene.pass(MINUTE);
    expect((await scene.get("/job/args/summary")).body.Children).toEqual({ Pending: 0, Running: 0, Dead: 1 });
  });
});

describe("Read job", () => {
  test("returns the complete job with every field of the section", async () => {
    await scene.existing(serviceJob("web"));
    const job = await scene.job("web");
    expect(Object.keys(job)).toEqual(
      expect.arrayContaining([
        ...["Region", "Namespace", "ID", "ParentID", "Name", "Type", "Priority", "AllAtOnce", "Datacenters"],
        ...[
          "NodePool",
          "Constraints",
          "TaskGroups",
          "Update",
          "Periodic",
          "ParameterizedJob",
          "Payload",
          "Meta",
        ],
        ...[
          "SecretsToken",
          "Status",
          "StatusDescription",
          "Stop",
          "Stable",
          "Version",
          "SubmitTime",
          "Dispatched",
        ],
        ...["Multiregion", "Affinities", "Spreads", "MeshToken", "SecretsNamespace", "SchedTokenID"],
        ...["CreateIndex", "ModifyIndex", "JobModifyIndex"],
      ]),
    );
    expect(Object.keys(job.TaskGroups[0])).toEqual(
      expect.arrayContaining([
        ...[
          "Name",
          "Count",
          "Constraints",
          "Affinities",
          "RestartPolicy",
          "ReschedulePolicy",
          "Migrate",
          "Update",
        ],
        ...["Networks", "EphemeralDisk", "Meta", "Services", "Tasks", "Volumes", "Scaling"],
        ...["MaxClientDisconnect", "ShutdownDelay", "StopAfterClientDisconnect"],
      ]),
    );
    expect(Object.keys(job.TaskGroups[0].Tasks[0])).toEqual(
      expect.arrayContaining([
        ...[
          "Name",
          "Driver",
          "User",
          "Config",
          "Env",
          "Services",
          "Templates",
          "Resources",
          "DispatchPayload",
        ],
        ...["Meta", "KillTimeout", "KillSignal", "LogConfig", "Artifacts", "Leader", "Lifecycle", "Secrets"],
        ...["Constraints", "Affinities", "RestartPolicy", "Kind", "VolumeMounts"],
      ]),
    );
  });

  test("returns 404 in plain text with the current index for a missing job", async () => {
    await scene.existing(serviceJob("web"));
    const { status, headers, body } = await scene.get("/job/none");
    expect([status, body]).toEqual([404, "job not found"]);
    expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "x-sched-index": "2" });
  });

  test("reads a job whose ID contains characters that must be percent-encoded", async () => {
    await scene.existing(serviceJob("a/b?c%"));
    expect((await scene.job(encodeURIComponent("a/b?c%"))).ID).toBe("a/b?c%");
  });
});

describe("Read job submission", () => {
  const SUBMISSION = { Source: 'job "web" {}', Format: "hcl2", Variables: 'a = "b"' };

  test("returns the submitted source of the version with every field of the section", async () => {
    const { JobModifyIndex } = await scene.existing(serviceJob("web"), { Submission: SUBMISSION });
    expect((await scene.get("/job/web/submission?version=0")).body).toEqual({
      ...SUBMISSION,
      JobIndex: JobModifyIndex,
      JobID: "web",
      Namespace: "default",
      VariableFlags: null,
      Version: 0,
    });
  });

  test("in the real dialect, returns the flags unescaped and the index as JobModifyIndex", async () => {
    const scene = new Scene({ dialect: "real", acl: false });
    const VariableFlags = { a: "x y%20&+%é" };
    const { JobModifyIndex } = await scene.existing(serviceJob("web"), {
      Submission: { ...SUBMISSION, VariableFlags },
    });
    const { body } = await scene.get("/job/web/submission?version=0");
    expect(body).toMatchObject({ VariableFlags, JobModifyIndex });
    expect(Object.keys(body)).not.toContain("JobIndex");
  });

  test("stores flags in query escaping", async () => {
    const VariableFlags = { a: "x y\n&=+%é!'()*", plain: "z" };
    await scene.existing(serviceJob("web"), { Submission: { ...SUBMISSION, VariableFlags } });
    const { body } = await scene.get("/job/web/submission?version=0");
    expect(body.VariableFlags).toEqual({ a: "x+y%0A%26%3D%2B%25%C3%A9%21%27%28%29%2A", plain: "z" });
    const read = new URLSearchParams(`a=${body.VariableFlags.a}`).get("a");
    expect(read).toBe(VariableFlags.a);
  });

  test.each(["", "?version=", "?version=x", "?version=-1"])("returns 400 for submission%s", async (query) => {
    const { status, body } = await scene.get(`/job/web/submission${query}`);
    expect([status, body]).toEqual([400, "Unable to parse job submission version parameter"]);
  });

  test("returns 404 for a version without a submission, even if an earlier version has one", async () => {
    await scene.existing(serviceJob("web"), { Submission: SUBMISSION });
    await scene.existing(serviceJob("web", { Priority: 60 }));
    await answers(scene.get("/job/web/submission?version=1"), 404, "job source not found");
  });

  test("stores the 6 most recent submissions", async () => {
    for (let priority = 1; priority <= 8; priority++) {
      await scene.existing(serviceJob("web", { Priority: priority }), { Submission: SUBMISSION });
    }
    const statuses = await Promise.all(
      [0, 1, 2, 7].map(async (version) => (await scene.get(`/job/web/submission?version=${version}`)).status),
    );
    expect(statuses).toEqual([404, 404, 200, 200]);
  });

  test("registers a job with a too large submission with a warning and without the submission", async () => {
    const Source = "x".repeat(1_000_001);
    const { Warnings } = await scene.existing(serviceJob("web"), { Submission: { Source, Format: "hcl2" } });
    expect(Warnings).toBe(
      "1 warning(s):\n\n* job source size of 1.0 MB exceeds maximum of 1.0 MB and will be discarded",
    );
    await answers(scene.get("/job/web/submission?version=0"), 404);
    expect((await scene.job("web")).Version).toBe(0);
  });

  test("the versions of a scaled and of a stopped job have the same submission", async () => {
    await scene.existing(serviceJob("web"), { Submission: SUBMISSION });
    scene.pass(MINUTE);
    await scene.send("POST", "/job/web/scale", { Target: { Group: "web" }, Count: 2 });
    await scene.send("DELETE", "/job/web");
    for (const version of [1, 2]) {
      expect((await scene.get(`/job/web/submission?version=${version}`)).body.Source).toBe(SUBMISSION.Source);
    }
  });
});

describe("Deregister a job", () => {
  test("without purge, the job is stopped as a new version and still exists", async () => {
    const before = await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    const { status, headers, body } = await scene.send("DELETE", "/job/web");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      EvalID: expect.stringMatching(/./),
      EvalCreateIndex: body.Index,
      JobModifyIndex: body.Index,
      KnownLeader: false,
      LastContact: 0,
    });
    expect(headers["x-sched-index"]).toBe(String(body.Index));
    expect(body.JobModifyIndex).toBeGreaterThan(before.JobModifyIndex);
    expect(await scene.job("web")).toMatchObject({
      Stop: true,
      Version: 1,
      JobModifyIndex: body.JobModifyIndex,
    });
    scene.pass(MINUTE);
    expect((await scene.job("web")).Status).toBe("dead");
  });

  test.each(["purge=true", "purge=1"])(
    "with %s, deletes the job, its versions and its submissions",
    async (query) => {
      await scene.existing(serviceJob("web"), { Submission: { Source: "x", Format: "json" } });
      await answers(scene.send("DELETE", `/job/web?${query}`), 200);
      await answers(scene.get("/job/web"), 404);
      await answers(scene.get("/job/web/versions"), 404);
      await answers(scene.get("/job/web/submission?version=0"), 404);
      await scene.existing(serviceJob("web"), { EnforceIndex: true, JobModifyIndex: 0 });
      expect(await scene.job("web")).toMatchObject({ Version: 0, Stop: false });
    },
  );

  test("lists allocations and deployments of a purged registration only with all=true", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    await scene.send("DELETE", "/job/web?purge=true");
    scene.pass(MINUTE);
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    for (const path of ["allocations", "deployments"]) {
      expect((await scene.get(`/job/web/${path}`)).body).toHaveLength(1);
      expect((await scene.get(`/job/web/${path}?all=false`)).body).toHaveLength(1);
      expect((await scene.get(`/job/web/${path}?all=true`)).body).toHaveLength(2);
    }
  });

  test("deregistering a missing job returns 200 and an evaluation", async () => {
    const { status, body } = await scene.send("DELETE", "/job/none");
    expect(status).toBe(200);
    expect((await scene.get(`/evaluation/${body.EvalID}`)).body).toMatchObject({
      JobID: "none",
      TriggeredBy: "job-deregister",
    });
    scene.pass(SECOND);
    expect((await scene.get(`/evaluation/${body.EvalID}`)).body.Status).toBe("complete");
  });

  test("deregistering a periodic job creates no evaluation", async () => {
    await scene.existing(batchJob("cron", { Periodic: { Spec: "@daily" } }));
    expect((await scene.job("cron")).Status).toBe("running");
    expect((await scene.send("DELETE", "/job/cron")).body.EvalID).toBe("");
    expect((await scene.job("cron")).Status).toBe("dead");
  });

  test.each(["purge=maybe", "global=maybe", "no_shutdown_delay=maybe"])(
    "returns 500 for %s",
    async (query) => {
      await answers(scene.send("DELETE", `/job/web?${query}`), 500, expect.stringContaining("as a bool"));
    },
  );

  test("eval_priority sets the evaluation's priority, which is the job's priority by default", async () => {
    await scene.existing(serviceJob("web"));
    const { body } = await scene.send("DELETE", "/job/web?eval_priority=77");
    expect((await scene.get(`/evaluation/${body.EvalID}`)).body.Priority).toBe(77);
    const { body: withDefault } = await scene.send("DELETE", "/job/web");
    expect((await scene.get(`/evaluation/${withDefault.EvalID}`)).body.Priority).toBe(50);
    await answers(scene.send("DELETE", "/job/web?eval_priority=101"), 400);
    await answers(scene.send("DELETE", "/job/web?eval_priority=x"), 400);
  });
});

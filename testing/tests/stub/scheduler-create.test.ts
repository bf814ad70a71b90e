import { answers } from "./in-process";
import { batchJob, MINUTE, Scene, SECOND, START, scene, serviceJob, TOKENS } from "./scheduler-scene";

describe("Create job: the answer", () => {
  test.each(["POST", "PUT"])(
    "%s /jobs registers a job and answers every field of the response",
    async (method) => {
      const { status, headers, body } = await scene.send(method, "/jobs", { Job: serviceJob("web") });
      expect(status).toBe(200);
      expect(body).toEqual({
        EvalID: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        EvalCreateIndex: 2,
        JobModifyIndex: 2,
        Warnings: "",
        Index: 2,
        LastContact: 0,
        KnownLeader: false,
        NextToken: "",
      });
      expect(headers["x-sched-index"]).toBe("2");
    },
  );

  test.each([
    ["periodic", { Periodic: { Spec: "0 * * * *" } }],
    ["parameterized", { ParameterizedJob: {} }],
  ])("a %s job is not evaluated: EvalID is empty", async (_kind, fields) => {
    const body = await scene.existing(batchJob("nightly", fields));
    expect(body).toMatchObject({ EvalID: "", EvalCreateIndex: 0, JobModifyIndex: 2 });
    expect((await scene.get("/job/nightly/evaluations")).body).toEqual([]);
  });

  test("the path of one job takes the same body", async () => {
    await answers(scene.send("PUT", "/job/web", { Job: serviceJob("web") }), 200);
    const { status, body } = await scene.send("POST", "/job/web", { Job: serviceJob("other") });
    expect([status, body]).toEqual([400, "Job ID does not match name"]);
  });
});

describe("Create job: EnforceIndex and JobModifyIndex", () => {
  test("index 0 registers a new job, and refuses one that is there with 500", async () => {
    const fields = { EnforceIndex: true, JobModifyIndex: 0 };
    await answers(scene.register(serviceJob("web"), fields), 200);
    const { status, headers, body } = await scene.register(serviceJob("web", { Priority: 70 }), fields);
    expect([status, body]).toEqual([500, "Enforcing job modify index 0: job already exists"]);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(await scene.job("web")).toMatchObject({ Priority: 50, Version: 0 });
  });

  test("the present index updates; another one is refused with both indexes named", async () => {
    const { JobModifyIndex } = await scene.existing(serviceJob("web"));
    const fields = { EnforceIndex: true, JobModifyIndex };
    const updated = await scene.register(serviceJob("web", { Priority: 60 }), fields);
    expect(updated.status).toBe(200);
    const { status, body } = await scene.register(serviceJob("web", { Priority: 70 }), fields);
    expect([status, body]).toEqual([
      500,
      `Enforcing job modify index ${JobModifyIndex}: job exists with conflicting job modify index: ${updated.body.JobModifyIndex}`,
    ]);
  });

  test("an index for a job that is not there is refused", async () => {
    const { status, body } = await scene.register(serviceJob("web"), {
      EnforceIndex: true,
      JobModifyIndex: 7,
    });
    expect([status, body]).toEqual([500, "Enforcing job modify index 7: job does not exist"]);
  });

  test("without EnforceIndex the index counts for nothing", async () => {
    await scene.existing(serviceJob("web"));
    await answers(scene.register(serviceJob("web", { Priority: 60 }), { JobModifyIndex: 999 }), 200);
  });

  test("a stopped job still exists: index 0 conflicts with it", async () => {
    await scene.existing(serviceJob("web"));
    await scene.send("DELETE", "/job/web");
    const { body } = await scene.register(serviceJob("web"), { EnforceIndex: true, JobModifyIndex: 0 });
    expect(body).toBe("Enforcing job modify index 0: job already exists");
  });

  test("the text may come with the prefix of a forwarded request", async () => {
    const scene = new Scene({ rpcPrefix: true });
    await scene.existing(serviceJob("web"));
    const { body } = await scene.register(serviceJob("web"), { EnforceIndex: true });
    expect(body).toBe("rpc error: Enforcing job modify index 0: job already exists");
  });
});

describe("Create job: versions and indexes", () => {
  test("a changed specification is a new version, and moves both indexes", async () => {
    const first = await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    const second = await scene.existing(serviceJob("web", { Priority: 60 }));
    const job = await scene.job("web");
    expect(second.JobModifyIndex).toBeGreaterThan(first.JobModifyIndex);
    expect(job).toMatchObject({
      Version: 1,
      Stable: false,
      CreateIndex: first.JobModifyIndex,
      JobModifyIndex: second.JobModifyIndex,
      SubmitTime: (START + MINUTE) * 1_000_000,
    });
  });

  test("a status change moves ModifyIndex and leaves JobModifyIndex", async () => {
    const { JobModifyIndex } = await scene.existing(serviceJob("web"));
    expect(await scene.job("web")).toMatchObject({ Status: "pending", ModifyIndex: JobModifyIndex });
    scene.pass(SECOND);
    const job = await scene.job("web");
    expect(job).toMatchObject({ Status: "running", JobModifyIndex });
    expect(job.ModifyIndex).toBeGreaterThan(JobModifyIndex);
  });

  test("an unchanged job is no new version, is evaluated, and its ModifyIndex is answered as JobModifyIndex", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    const before = await scene.job("web");
    const again = await scene.existing(serviceJob("web"));
    expect(again.JobModifyIndex).toBe(before.ModifyIndex);
    expect(again.JobModifyIndex).not.toBe(before.JobModifyIndex);
    expect(again.EvalID).not.toBe("");
    expect(await scene.job("web")).toMatchObject({
      Version: 0,
      JobModifyIndex: before.JobModifyIndex,
      SubmitTime: before.SubmitTime,
    });
  });

  test("what a stored job looks like when it is read and sent back is unchanged", async () => {
    await scene.existing(serviceJob("web", {}, { Scaling: { Max: 3 }, Services: [{ PortLabel: "http" }] }));
    await scene.existing(await scene.job("web"));
    expect(await scene.job("web")).toMatchObject({ Version: 0 });
  });

  test("a stopped job that is registered anew runs again, as a new version", async () => {
    await scene.existing(serviceJob("web"));
    await scene.send("DELETE", "/job/web");
    await scene.existing(serviceJob("web"));
    expect(await scene.job("web")).toMatchObject({ Stop: false, Version: 2 });
  });

  test("what the service owns is not the sender's to say", async () => {
    await scene.existing(
      serviceJob("web", {
        Status: "dead",
        StatusDescription: "mine",
        Stable: true,
        Version: 9,
        SubmitTime: 1,
        CreateIndex: 99,
        ModifyIndex: 99,
        JobModifyIndex: 99,
        SchedTokenID: "mine",
        Dispatched: true,
        ParentID: "mine",
      }),
    );
    expect(await scene.job("web")).toMatchObject({
      Status: "pending",
      StatusDescription: "",
      Stable: false,
      Version: 0,
      SubmitTime: START * 1_000_000,
      CreateIndex: 2,
      ModifyIndex: 2,
      JobModifyIndex: 2,
      SchedTokenID: "accessor-manager",
      Dispatched: false,
      ParentID: "",
    });
  });
});

describe("Create job: the other fields of the body", () => {
  test("PreserveCounts keeps the counts that groups have, and takes new groups' own", async () => {
    const extra = { Name: "extra", Count: 4, Tasks: [{ Name: "t", Driver: "exec" }] };
    await scene.existing(serviceJob("web", {}, { Count: 5 }));
    const next = serviceJob("web", { Priority: 60 }, { Count: 1 }) as { TaskGroups: object[] };
    await scene.existing({ ...next, TaskGroups: [...next.TaskGroups, extra] }, { PreserveCounts: true });
    const { TaskGroups } = await scene.job("web");
    expect(TaskGroups.map((group: { Count: number }) => group.Count)).toEqual([5, 4]);
  });

  test("EvalPriority overrides the evaluation's priority; without it the job's counts", async () => {
    await scene.existing(serviceJob("web", { Priority: 40 }));
    await scene.existing(serviceJob("web", { Priority: 41 }), { EvalPriority: 90 });
    const { body } = await scene.get("/job/web/evaluations");
    expect(body.map(({ Priority }: { Priority: number }) => Priority)).toEqual([40, 90]);
    await answers(scene.register(serviceJob("web"), { EvalPriority: 101 }), 400);
  });

  test("PolicyOverride needs the permission policy-override besides submit-job", async () => {
    const fields = { PolicyOverride: true };
    await answers(scene.register(serviceJob("a"), fields, { as: TOKENS.submitter }), 403);
    await answers(scene.register(serviceJob("a"), fields, { as: TOKENS.overrider }), 200);
  });

  test("the query's namespace overrides the job's own", async () => {
    const sent = { Job: serviceJob("web", { Namespace: "team-data" }) };
    await scene.send("POST", "/jobs?namespace=team-web", sent);
    await answers(scene.get("/job/web?namespace=team-data"), 404);
    expect((await scene.job("web", "?namespace=team-web")).Namespace).toBe("team-web");
    await scene.send("POST", "/jobs", sent);
    expect((await scene.job("web", "?namespace=team-data")).Namespace).toBe("team-data");
  });

  test("the query's region, else the job's own, is the region that the job goes to", async () => {
    await scene.send("POST", "/jobs?region=west", { Job: serviceJob("a") });
    await scene.send("POST", "/jobs", { Job: serviceJob("b", { Region: "west" }) });
    await scene.send("POST", "/jobs", { Job: serviceJob("c", { Region: "global" }) });
    expect((await scene.get("/jobs?region=west")).body.map(({ ID }: { ID: string }) => ID)).toEqual([
      "a",
      "b",
    ]);
    await answers(scene.get("/job/a"), 404);
    expect((await scene.job("a", "?region=west")).Region).toBe("west");
    expect((await scene.job("c")).Region).toBe("global");
    const { status, body } = await scene.send("POST", "/jobs?region=nowhere", { Job: serviceJob("d") });
    expect([status, body]).toEqual([500, "No path to region"]);
  });
});

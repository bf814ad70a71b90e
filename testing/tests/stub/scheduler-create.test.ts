import { answers } from "./in-process";
import { batchJob, MINUTE, Scene, SECOND, START, scene, serviceJob, TOKENS } from "./scheduler-scene";

describe("Create job: the response", () => {
  test.each(["POST", "PUT"])(
    "%s /jobs registers a job and returns every field of the response",
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
  ])("a %s job is not evaluated and EvalID is empty", async (_kind, fields) => {
    const body = await scene.existing(batchJob("nightly", fields));
    expect(body).toMatchObject({ EvalID: "", EvalCreateIndex: 0, JobModifyIndex: 2 });
    expect((await scene.get("/job/nightly/evaluations")).body).toEqual([]);
  });

  test("/job/:id accepts the same body and returns 400 if the job has a different ID", async () => {
    await answers(scene.send("PUT", "/job/web", { Job: serviceJob("web") }), 200);
    const { status, body } = await scene.send("POST", "/job/web", { Job: serviceJob("other") });
    expect([status, body]).toEqual([400, "Job ID does not match name"]);
  });
});

describe("Create job: EnforceIndex and JobModifyIndex", () => {
  test("index 0 registers a new job and returns 500 for an existing job", async () => {
    const fields = { EnforceIndex: true, JobModifyIndex: 0 };
    await answers(scene.register(serviceJob("web"), fields), 200);
    const { status, headers, body } = await scene.register(serviceJob("web", { Priority: 70 }), fields);
    expect([status, body]).toEqual([500, "Enforcing job modify index 0: job already exists"]);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(await scene.job("web")).toMatchObject({ Priority: 50, Version: 0 });
  });

  test("the current index updates the job; an outdated index returns 500 with both indexes", async () => {
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

  test("returns 500 for an index of a missing job", async () => {
    const { status, body } = await scene.register(serviceJob("web"), {
      EnforceIndex: true,
      JobModifyIndex: 7,
    });
    expect([status, body]).toEqual([500, "Enforcing job modify index 7: job does not exist"]);
  });

  test("without EnforceIndex, JobModifyIndex is ignored", async () => {
    await scene.existing(serviceJob("web"));
    await answers(scene.register(serviceJob("web", { Priority: 60 }), { JobModifyIndex: 999 }), 200);
  });

  test("index 0 conflicts with a stopped job", async () => {
    await scene.existing(serviceJob("web"));
    await scene.send("DELETE", "/job/web");
    const { body } = await scene.register(serviceJob("web"), { EnforceIndex: true, JobModifyIndex: 0 });
    expect(body).toBe("Enforcing job modify index 0: job already exists");
  });

  test("with rpcPrefix, the error text has the prefix of a forwarded request", async () => {
    const scene = new Scene({ rpcPrefix: true });
    await scene.existing(serviceJob("web"));
    const { body } = await scene.register(serviceJob("web"), { EnforceIndex: true });
    expect(body).toBe("rpc error: Enforcing job modify index 0: job already exists");
  });
});

describe("Create job: versions and indexes", () => {
  test("a changed specification creates a new version and increases JobModifyIndex", async () => {
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

  test("a status change increases ModifyIndex and does not change JobModifyIndex", async () => {
    const { JobModifyIndex } = await scene.existing(serviceJob("web"));
    expect(await scene.job("web")).toMatchObject({ Status: "pending", ModifyIndex: JobModifyIndex });
    scene.pass(SECOND);
    const job = await scene.job("web");
    expect(job).toMatchObject({ Status: "running", JobModifyIndex });
    expect(job.ModifyIndex).toBeGreaterThan(JobModifyIndex);
  });

  test("an unchanged job is evaluated without a new version and returns its ModifyIndex as JobModifyIndex", async () => {
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

  test("registering a job as it was read creates no new version", async () => {
    await scene.existing(serviceJob("web", {}, { Scaling: { Max: 3 }, Services: [{ PortLabel: "http" }] }));
    await scene.existing(await scene.job("web"));
    expect(await scene.job("web")).toMatchObject({ Version: 0 });
  });

  test("registering a stopped job again starts it as a new version", async () => {
    await scene.existing(serviceJob("web"));
    await scene.send("DELETE", "/job/web");
    await scene.existing(serviceJob("web"));
    expect(await scene.job("web")).toMatchObject({ Stop: false, Version: 2 });
  });

  test("ignores server-owned fields in the request", async () => {
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
  test("PreserveCounts preserves the counts of existing groups and uses the count of a new group", async () => {
    const extra = { Name: "extra", Count: 4, Tasks: [{ Name: "t", Driver: "exec" }] };
    await scene.existing(serviceJob("web", {}, { Count: 5 }));
    const next = serviceJob("web", { Priority: 60 }, { Count: 1 }) as { TaskGroups: object[] };
    await scene.existing({ ...next, TaskGroups: [...next.TaskGroups, extra] }, { PreserveCounts: true });
    const { TaskGroups } = await scene.job("web");
    expect(TaskGroups.map((group: { Count: number }) => group.Count)).toEqual([5, 4]);
  });

  test("PreserveResources preserves the resources of existing tasks and uses those of a new task", async () => {
    const task = (Name: string, CPU: number) => ({ Name, Driver: "exec", Resources: { CPU, MemoryMB: 64 } });
    const web = (...Tasks: object[]) => serviceJob("web", {}, { Tasks });
    await scene.existing(web(task("a", 200)));
    await scene.existing(web(task("a", 300), task("b", 400)), { PreserveResources: true });
    const { TaskGroups } = await scene.job("web");
    const [{ Tasks }] = TaskGroups;
    expect(Tasks.map(({ Resources }: { Resources: { CPU: number } }) => Resources.CPU)).toEqual([200, 400]);
  });

  test("EvalPriority sets the evaluation's priority, which is the job's priority by default", async () => {
    await scene.existing(serviceJob("web", { Priority: 40 }));
    await scene.existing(serviceJob("web", { Priority: 41 }), { EvalPriority: 90 });
    const { body } = await scene.get("/job/web/evaluations");
    expect(body.map(({ Priority }: { Priority: number }) => Priority)).toEqual([40, 90]);
    await answers(scene.register(serviceJob("web"), { EvalPriority: 101 }), 400);
  });

  test("PolicyOverride returns 403 without the permission policy-override", async () => {
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

  test("the job is stored in the query's region, otherwise in its own region; an unknown region returns 500", async () => {
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

interface Named {
  readonly Name: string;
}

const named = <Item extends Named>(items: readonly Item[] | null, name: string) =>
  items?.find((item) => item.Name === name);

describe("List job versions", () => {
  test("returns the versions, newest first, and no diffs by default", async () => {
    for (const priority of [50, 60, 70]) await scene.existing(serviceJob("web", { Priority: priority }));
    const { status, body } = await scene.get("/job/web/versions");
    expect(status).toBe(200);
    expect(body).toMatchObject({ Diffs: null, KnownLeader: true, LastContact: 0, Index: 4 });
    expect(body.Versions.map(({ Version }: { Version: number }) => Version)).toEqual([2, 1, 0]);
    expect(body.Versions.map(({ Priority }: { Priority: number }) => Priority)).toEqual([70, 60, 50]);
    expect((await scene.get("/job/web/versions?diffs=false")).body.Diffs).toBeNull();
  });

  test("stores 6 versions: the most recent versions and the latest stable version", async () => {
    await scene.existing(serviceJob("web"));
    scene.pass(MINUTE);
    for (let priority = 1; priority <= 8; priority++)
      await scene.existing(serviceJob("web", { Priority: priority }));
    const { body } = await scene.get("/job/web/versions");
    expect(body.Versions.map(({ Version }: { Version: number }) => Version)).toEqual([8, 7, 6, 5, 4, 0]);
  });

  test("returns 404 for a missing job", async () => {
    await answers(scene.get("/job/none/versions"), 404, "job versions not found");
  });

  test("returns 500 for an invalid value of diffs", async () => {
    await answers(scene.get("/job/web/versions?diffs=some"), 500);
  });
});

describe("List job versions: Diffs", () => {
  const diffOf = async (before: object, after: object) => {
    const scene = new Scene();
    await scene.existing(before);
    await scene.existing(after);
    const { body } = await scene.get("/job/web/versions?diffs=true");
    expect(body.Diffs).toHaveLength(1);
    return body.Diffs[0];
  };

  test("contain one diff between each version and the version before it", async () => {
    for (const priority of [50, 60, 70]) await scene.existing(serviceJob("web", { Priority: priority }));
    const { Diffs } = (await scene.get("/job/web/versions?diffs=true")).body;
    expect(Diffs.map(({ Fields }: { Fields: object[] }) => Fields)).toEqual([
      [{ Type: "Edited", Name: "Priority", Old: "60", New: "70", Annotations: null }],
      [{ Type: "Edited", Name: "Priority", Old: "50", New: "60", Annotations: null }],
    ]);
  });

  test("are null for a job with one version", async () => {
    await scene.existing(serviceJob("web"));
    expect((await scene.get("/job/web/versions?diffs=true")).body.Diffs).toBeNull();
  });

  test("contain the changed fields and objects of the job", async () => {
    const diff = await diffOf(
      serviceJob("web", { Meta: { a: "1", b: "2" }, Datacenters: ["dc1"] }),
      serviceJob("web", {
        Meta: { b: "3", c: "4" },
        Datacenters: ["dc1", "dc2"],
        Constraints: [{ LTarget: "x", RTarget: "y", Operand: "=" }],
      }),
    );
    expect(diff).toMatchObject({ Type: "Edited", ID: "web", TaskGroups: null });
    expect(diff.Fields).toEqual([
      { Type: "Deleted", Name: "Meta[a]", Old: "1", New: "", Annotations: null },
      { Type: "Edited", Name: "Meta[b]", Old: "2", New: "3", Annotations: null },
      { Type: "Added", Name: "Meta[c]", Old: "", New: "4", Annotations: null },
    ]);
    expect(diff.Objects).toEqual([
      {
        Type: "Added",
        Name: "Constraint",
        Fields: [
          { Type: "Added", Name: "LTarget", Old: "", New: "x", Annotations: null },
          { Type: "Added", Name: "Operand", Old: "", New: "=", Annotations: null },
          { Type: "Added", Name: "RTarget", Old: "", New: "y", Annotations: null },
        ],
        Objects: null,
      },
      {
        Type: "Edited",
        Name: "Datacenters",
        Fields: [
          { Type: "None", Name: "Datacenters", Old: "dc1", New: "dc1", Annotations: null },
          { Type: "Added", Name: "Datacenters", Old: "", New: "dc2", Annotations: null },
        ],
        Objects: null,
      },
    ]);
  });

  test("contain the changed groups and tasks, matched by name", async () => {
    const other = { Name: "new", Tasks: [{ Name: "t", Driver: "exec" }] };
    const before = serviceJob("web", {}, {}, { Config: { image: "a", args: ["x"] }, Env: { A: "1" } });
    const after = serviceJob(
      "web",
      {},
      { Count: 3 },
      { Config: { image: "b", args: ["x", "y"] }, Env: { A: "2" } },
    );
    const { TaskGroups } = after as { TaskGroups: object[] };
    const diff = await diffOf(before, { ...after, TaskGroups: [...TaskGroups, other] });
    expect(diff.Fields).toBeNull();
    expect(named(diff.TaskGroups, "new")).toMatchObject({
      Type: "Added",
      Tasks: [{ Type: "Added", Name: "t" }],
    });
    const web = named<Named & { Tasks: object[] }>(diff.TaskGroups, "web");
    expect(web).toMatchObject({
      Type: "Edited",
      Updates: null,
      Fields: [{ Type: "Edited", Name: "Count", Old: "1", New: "3" }],
    });
    expect(web?.Tasks).toEqual([
      {
        Type: "Edited",
        Name: "server",
        Annotations: null,
        Fields: [{ Type: "Edited", Name: "Env[A]", Old: "1", New: "2", Annotations: null }],
        Objects: [
          {
            Type: "Edited",
            Name: "Config",
            Fields: [
              { Type: "None", Name: "args[0]", Old: "x", New: "x", Annotations: null },
              { Type: "Added", Name: "args[1]", Old: "", New: "y", Annotations: null },
              { Type: "Edited", Name: "image", Old: "a", New: "b", Annotations: null },
            ],
            Objects: null,
          },
        ],
      },
    ]);
  });

  test("a removed group has the type Deleted", async () => {
    const both = serviceJob("web") as { TaskGroups: object[] };
    const other = { Name: "old", Tasks: [{ Name: "t", Driver: "exec" }] };
    const diff = await diffOf({ ...both, TaskGroups: [...both.TaskGroups, other] }, both);
    expect(diff.TaskGroups).toMatchObject([{ Type: "Deleted", Name: "old", Tasks: [{ Type: "Deleted" }] }]);
  });

  test("a nested object has a diff inside its parent object", async () => {
    const diff = await diffOf(
      serviceJob("web"),
      serviceJob(
        "web",
        {},
        { Networks: [{ Mode: "host", DynamicPorts: [{ Label: "http" }] }], Update: { Canary: 1 } },
      ),
    );
    const [group] = diff.TaskGroups;
    expect(named(group.Objects, "Network")).toMatchObject({
      Type: "Added",
      Objects: [{ Type: "Added", Name: "Dynamic Port" }],
    });
    expect(named(group.Objects, "Update")).toMatchObject({ Type: "Edited" });
  });
});

describe("Revert and stable", () => {
  const withVersions = async () => {
    const scene = new Scene();
    await scene.existing(serviceJob("web"), { Submission: { Source: "first", Format: "hcl2" } });
    await scene.existing(serviceJob("web", { Priority: 60 }), {
      Submission: { Source: "second", Format: "hcl2" },
    });
    return scene;
  };

  test("a revert registers the earlier version and its submission as a new version", async () => {
    const scene = await withVersions();
    const { status, body } = await scene.send("POST", "/job/web/revert", { JobID: "web", JobVersion: 0 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ EvalID: expect.stringMatching(/./), JobModifyIndex: body.Index });
    expect(await scene.job("web")).toMatchObject({
      Priority: 50,
      Version: 2,
      JobModifyIndex: body.JobModifyIndex,
    });
    expect((await scene.get("/job/web/submission?version=2")).body.Source).toBe("first");
  });

  test.each([
    [{ JobVersion: 0 }, 400, "JobID must be specified"],
    [{ JobID: "other", JobVersion: 0 }, 400, "Job ID does not match"],
    [{ JobID: "web", JobVersion: 1 }, 500, "can't revert to current version"],
    [{ JobID: "web", JobVersion: 7 }, 500, 'job "web" in namespace "default" at version 7 not found'],
    [
      { JobID: "web", JobVersion: 0, EnforcePriorVersion: 5 },
      500,
      "Current job has version 1; enforcing version 5",
    ],
  ])("a revert with %j returns %d", async (sent, status, text) => {
    const scene = await withVersions();
    await answers(scene.send("POST", "/job/web/revert", sent), status, text);
  });

  test("a revert of a missing job returns 500", async () => {
    const { status, body } = await scene.send("POST", "/job/web/revert", { JobID: "web", JobVersion: 0 });
    expect([status, body]).toEqual([500, 'job "web" not found']);
  });

  test("marking a version stable increases ModifyIndex and does not change JobModifyIndex", async () => {
    const scene = await withVersions();
    const before = await scene.job("web");
    const { status, body } = await scene.send("PUT", "/job/web/stable", {
      JobID: "web",
      JobVersion: 1,
      Stable: true,
    });
    expect([status, body]).toEqual([200, { Index: before.ModifyIndex + 1 }]);
    expect(await scene.job("web")).toMatchObject({
      Stable: true,
      ModifyIndex: body.Index,
      JobModifyIndex: before.JobModifyIndex,
    });
    await scene.send("PUT", "/job/web/stable", { JobID: "web", JobVersion: 1 });
    expect((await scene.job("web")).Stable).toBe(false);
    await answers(scene.send("PUT", "/job/web/stable", { JobID: "web", JobVersion: 7, Stable: true }), 500);
  });
});

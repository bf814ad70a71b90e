import { answers } from "./in-process";
import { batchJob, Scene, scene, serviceJob } from "./scheduler-scene";

const refusal = async (job: unknown, switches: ConstructorParameters<typeof Scene>[0] = {}) => {
  const { status, body } = await new Scene(switches).send("POST", "/jobs", { Job: job });
  return { status, body };
};

const withTask = (task: object, fields: object = {}, group: object = {}) =>
  serviceJob("web", fields, group, task);
const withGroup = (group: object, fields: object = {}) => serviceJob("web", fields, group);

describe("Create job: the body", () => {
  test.each([
    [{}, "Job must be specified"],
    [{ Job: null }, "Job must be specified"],
    [{ Job: { Name: "web" } }, "Job ID hasn't been provided"],
  ])("%j is 400", async (body, text) => {
    await answers(scene.send("POST", "/jobs", body), 400, text);
  });

  test.each([
    [[], "json: cannot unmarshal array into Go struct field JobRegisterRequest of type struct"],
    ['"text"', "json: cannot unmarshal string into Go struct field JobRegisterRequest of type struct"],
    [{ Job: 1 }, "json: cannot unmarshal number into Go struct field JobRegisterRequest.Job of type struct"],
    [
      { Job: { ID: 5 } },
      "json: cannot unmarshal number into Go struct field JobRegisterRequest.Job.ID of type string",
    ],
    [
      { Job: { ID: "a", Priority: "high" } },
      "json: cannot unmarshal string into Go struct field JobRegisterRequest.Job.Priority of type int",
    ],
    [
      { Job: { ID: "a", Priority: 1.5 } },
      "json: cannot unmarshal number 1.5 into Go struct field JobRegisterRequest.Job.Priority of type int",
    ],
    [
      { Job: { ID: "a", TaskGroups: {} } },
      "json: cannot unmarshal object into Go struct field JobRegisterRequest.Job.TaskGroups of type []interface {}",
    ],
    [
      { Job: { ID: "a", TaskGroups: [{ Count: true }] } },
      "json: cannot unmarshal bool into Go struct field JobRegisterRequest.Job.TaskGroups.Count of type int",
    ],
    [
      { Job: { ID: "a", Meta: [] } },
      "json: cannot unmarshal array into Go struct field JobRegisterRequest.Job.Meta of type map[string]interface {}",
    ],
    [
      { Job: { ID: "a", Meta: { x: 1 } } },
      "json: cannot unmarshal number into Go struct field JobRegisterRequest.Job.Meta of type string",
    ],
    [
      { Job: { ID: "a" }, EnforceIndex: "yes" },
      "json: cannot unmarshal string into Go struct field JobRegisterRequest.EnforceIndex of type bool",
    ],
    [
      { Job: { ID: "a", TaskGroups: [{ Tasks: [{ KillTimeout: "5s" }] }] } },
      "json: cannot unmarshal string into Go struct field JobRegisterRequest.Job.TaskGroups.Tasks.KillTimeout of type int",
    ],
  ])("%j is 400 in the decoder's words", async (body, text) => {
    await answers(scene.send("POST", "/jobs", body), 400, text);
  });
});

describe("Create job: a job that does not validate", () => {
  test("is 400 by the specification, 500 where that is switched on, and nothing is stored", async () => {
    const text = "1 error occurred:\n\t* Missing job task groups\n\n";
    expect(await refusal({ ID: "web" })).toEqual({ status: 400, body: text });
    expect(await refusal({ ID: "web" }, { validationStatus: 500 })).toEqual({ status: 500, body: text });
    await scene.register({ ID: "web" });
    await answers(scene.get("/job/web"), 404);
  });

  test("is told everything at once, and group by group", async () => {
    const { body } = await refusal({ ID: "a b", Type: "cron", TaskGroups: [{ Name: "g" }] });
    expect(body).toBe(
      [
        "3 errors occurred:",
        "\t* Job ID contains a space",
        '\t* Invalid job type: "cron"',
        "\t* Task group g validation failed: 1 error occurred:",
        "\t* Missing tasks for task group",
        "",
        "",
        "",
        "",
      ].join("\n"),
    );
  });

  test.each([
    ["an empty id", serviceJob(""), "Missing job ID"],
    ["a null character", serviceJob("a\0b"), "Job ID contains a null character"],
    ["a name with one", serviceJob("a", { Name: "a\0b" }), "Job Name contains a null character"],
    ["an unknown type", serviceJob("a", { Type: "cron" }), 'Invalid job type: "cron"'],
    [
      "an unknown namespace",
      serviceJob("a", { Namespace: "no" }),
      'job "a" is in nonexistent namespace "no"',
    ],
    ["an unknown node pool", serviceJob("a", { NodePool: "no" }), 'job "a" is in nonexistent node pool "no"'],
    [
      "an empty datacenter",
      serviceJob("a", { Datacenters: [""] }),
      "Job datacenter must be non-empty string",
    ],
    ["a priority out of range", serviceJob("a", { Priority: 101 }), "job priority must be between [1, 100]"],
    ["a negative priority", serviceJob("a", { Priority: -1 }), "job priority must be between [1, 100]"],
    ["a group without a name", withGroup({ Name: "" }), "Job task group 1 missing name"],
    [
      "two groups of one name",
      { ...serviceJob("a"), TaskGroups: [{ Name: "g" }, { Name: "g" }] },
      "Job task group 2 redefines 'g' from group 1",
    ],
    ["a negative count", withGroup({ Count: -1 }), "Task group count can't be negative"],
    [
      "a system job's count",
      withGroup({ Count: 2 }, { Type: "system" }),
      "Job task group web has count 2. Count cannot exceed 1 with system scheduler",
    ],
    ["a negative shutdown delay", withGroup({ ShutdownDelay: -1 }), "ShutdownDelay must be a positive value"],
    ["a small disk", withGroup({ EphemeralDisk: { SizeMB: 5 } }), "minimum DiskMB value is 10; got 5"],
    [
      "a system job's affinities",
      serviceJob("a", { Type: "system", Affinities: [{ LTarget: "a", RTarget: "b", Operand: "=" }] }),
      "System jobs may not have an affinity block",
    ],
    [
      "a system job's spreads",
      serviceJob("a", { Type: "system", Spreads: [{ Attribute: "a" }] }),
      "System jobs may not have a spread block",
    ],
    [
      "a system job's rescheduling",
      withGroup({ ReschedulePolicy: { Attempts: 1 } }, { Type: "system" }),
      "System or sysbatch jobs should not have a reschedule policy",
    ],
    [
      "a batch job's updates",
      batchJob("a", {}, { Update: { MaxParallel: 1 } }),
      'Job type "batch" does not allow update block',
    ],
    [
      "a batch job's migration",
      batchJob("a", {}, { Migrate: { MaxParallel: 1 } }),
      'Job type "batch" does not allow migrate block',
    ],
    [
      "two leaders",
      withGroup({
        Tasks: [
          { Name: "a", Driver: "x", Leader: true },
          { Name: "b", Driver: "x", Leader: true },
        ],
      }),
      "Only one task may be marked as leader",
    ],
    [
      "two tasks of one name",
      withGroup({
        Tasks: [
          { Name: "a", Driver: "x" },
          { Name: "a", Driver: "x" },
        ],
      }),
      "Task 2 redefines 'a' from task 1",
    ],
    [
      "no main task",
      withTask({ Lifecycle: { Hook: "prestart" } }),
      "Task group web must have at least one main task",
    ],
    [
      "a scaling policy upside down",
      withGroup({ Count: 3, Scaling: { Min: 4, Max: 2 } }),
      "maximum count must not be less than minimum count",
    ],
    [
      "a count below the scaling policy",
      withGroup({ Count: 1, Scaling: { Min: 2, Max: 4 } }),
      "task group count must not be less than minimum count in scaling policy",
    ],
    [
      "a count above the scaling policy",
      withGroup({ Count: 9, Scaling: { Min: 2, Max: 4 } }),
      "task group count must not be greater than maximum count in scaling policy",
    ],
  ])("%s", async (_what, job, text) => {
    await answers(refusal(job), 400, expect.stringContaining(text));
  });

  test.each([
    ["no name", { Name: "" }, "Task 1 missing name"],
    ["no driver", { Driver: "" }, "Missing task driver"],
    ["a reserved name", { Name: "alloc" }, 'Task cannot be named "alloc"'],
    ["a slash in the name", { Name: "a/b" }, "Task name cannot include slashes"],
    ["a negative kill timeout", { KillTimeout: -1 }, "KillTimeout must be a positive value"],
    [
      "a kill timeout past the progress deadline",
      { KillTimeout: 700_000_000_000 },
      "KillTimout (11m40s) longer than the group's ProgressDeadline (10m0s)",
    ],
    ["a negative shutdown delay", { ShutdownDelay: -1 }, "ShutdownDelay must be a positive value"],
    ["no cpu", { Resources: { CPU: -1 } }, "minimum CPU value is 1; got -1"],
    ["little memory", { Resources: { MemoryMB: 5 } }, "minimum MemoryMB value is 10; got 5"],
    [
      "less most memory than memory",
      { Resources: { MemoryMB: 50, MemoryMaxMB: 20 } },
      "MemoryMaxMB value (20) should be larger than MemoryMB value (50)",
    ],
    [
      "cpu and cores",
      { Resources: { CPU: 200, Cores: 2 } },
      "Task can only ask for 'cpu' or 'cores' resource, not both.",
    ],
    ["no log files", { LogConfig: { MaxFiles: 0 } }, "minimum number of files is 1; got 0"],
    ["no log size", { LogConfig: { MaxFileSizeMB: 0 } }, "minimum file size is 1MB; got 0"],
    [
      "more logs than disk",
      { LogConfig: { MaxFiles: 30, MaxFileSizeMB: 10 } },
      "log storage (300 MB) must be less than requested disk capacity (300 MB)",
    ],
    [
      "a constraint of the whole group",
      { Constraints: [{ Operand: "distinct_hosts" }] },
      "Constraint 1 has disallowed Operand at task level: distinct_hosts",
    ],
    [
      "an artifact from nowhere",
      { Artifacts: [{}] },
      "Artifact 1 validation failed: 1 error occurred:\n\t* source must be specified",
    ],
    [
      "a template of nothing",
      { Templates: [{ DestPath: "a" }] },
      "Must specify a source path or have an embedded template",
    ],
    [
      "a template to nowhere",
      { Templates: [{ EmbeddedTmpl: "a" }] },
      "Must specify a destination for the template",
    ],
    [
      "a template's change mode",
      { Templates: [{ EmbeddedTmpl: "a", DestPath: "a", ChangeMode: "no" }] },
      'Invalid change mode given: "no"',
    ],
    [
      "a template's splay",
      { Templates: [{ EmbeddedTmpl: "a", DestPath: "a", Splay: -1 }] },
      "Must specify positive splay value",
    ],
    [
      "two templates of one destination",
      {
        Templates: [
          { EmbeddedTmpl: "a", DestPath: "a" },
          { EmbeddedTmpl: "b", DestPath: "a" },
        ],
      },
      "Template 2 has same destination as 1",
    ],
    ["a lifecycle without a hook", { Lifecycle: { Sidecar: true } }, "no lifecycle hook provided"],
    ["an unknown hook", { Lifecycle: { Hook: "later" } }, "invalid hook: later"],
    [
      "a mount of no volume",
      { VolumeMounts: [{ Volume: "data" }] },
      "Volume Mount (0) references undefined volume data",
    ],
  ])("a task with %s", async (_what, task, text) => {
    await answers(refusal(withTask(task)), 400, expect.stringContaining(text));
  });

  test.each([
    [{ HealthCheck: "no" }, 'Invalid health check given: "no"'],
    [{ MaxParallel: -1 }, "Max parallel can not be less than zero: -1 < 0"],
    [{ Canary: -1 }, "Canary count can not be less than zero: -1 < 0"],
    [{ AutoPromote: true }, "Auto Promote requires a Canary count greater than zero"],
    [{ MinHealthyTime: -1 }, "Minimum healthy time may not be less than zero: -1ns"],
    [{ HealthyDeadline: 0 }, "Healthy deadline must be greater than zero: 0s"],
    [{ ProgressDeadline: -1_500_000 }, "Progress deadline must be zero or greater: -1.5ms"],
    [
      { MinHealthyTime: 3_600_000_000_000 },
      "Minimum healthy time must be less than healthy deadline: 1h0m0s > 5m0s",
    ],
    [
      { ProgressDeadline: 90_500_000_000 },
      "Healthy deadline must be less than progress deadline: 5m0s > 1m30.5s",
    ],
    [{ Stagger: 0 }, "Stagger must be greater than zero: 0s"],
  ])("an update strategy with %j", async (update, text) => {
    expect((await refusal(withGroup({ Update: update }))).body).toContain(text);
  });

  test.each([
    [{ Mode: "no" }, 'Unsupported restart mode: "no"'],
    [{ Mode: "delay", Attempts: 0 }, 'Restart policy "delay" with 0 attempts is ambiguous'],
    [{ Interval: 4_000_000_000 }, "Interval can not be less than 5s (got 4s)"],
    [{ Attempts: 200 }, "can't restart the TaskGroup 200 times in an interval of 30m0s with a delay of 15s"],
  ])("a restart policy with %j", async (restart, text) => {
    expect((await refusal(withGroup({ RestartPolicy: restart }))).body).toContain(text);
  });

  test.each([
    [{ LTarget: "a", RTarget: "b" }, "Missing constraint operand"],
    [{ LTarget: "a", RTarget: "b", Operand: "~" }, 'Unknown constraint type "~"'],
    [{ LTarget: "a", Operand: "=" }, 'Operator "=" requires an RTarget'],
    [{ LTarget: "a", Operand: "set_contains" }, "Set contains constraint requires an RTarget"],
    [{ LTarget: "a", RTarget: "b", Operand: "is_set" }, 'Operator "is_set" does not support an RTarget'],
    [{ RTarget: "b", Operand: "=" }, "no attribute provided but is required by operator"],
    [
      { LTarget: "a", RTarget: "0", Operand: "distinct_property" },
      "Distinct Property must have an allowed count of 1 or greater: 0 < 1",
    ],
  ])("a constraint %j", async (constraint, text) => {
    expect((await refusal(serviceJob("a", { Constraints: [constraint] }))).body).toContain(text);
    expect((await refusal(withGroup({ Constraints: [constraint] }))).body).toContain(text);
    expect((await refusal(withTask({ Constraints: [constraint] }))).body).toContain(text);
  });

  test.each([
    [[{ Name: "", Provider: "a", Path: "p" }], "secret name cannot be empty"],
    [[{ Name: "a-b", Provider: "a", Path: "p" }], "secret name must match regex ^[a-zA-Z0-9_]{1,128}$"],
    [
      [{ Name: "a", Path: "p" }],
      'Secret "a" is invalid: 1 error occurred:\n\t* secret provider cannot be empty',
    ],
    [[{ Name: "a", Provider: "nomad" }], "secret path cannot be empty"],
    [[{ Name: "a", Provider: "vault", Path: "p" }], 'Secret "a" has provider "vault" but no vault block'],
    [
      [{ Name: "a", Provider: "nomad", Path: "p", Env: { A: "b" } }],
      "nomad provider cannot use the env block",
    ],
    [
      [{ Name: "a", Provider: "own", Path: "p", Config: { A: "b" } }],
      "custom plugin provider own cannot use the config block",
    ],
    [
      [
        { Name: "a", Provider: "own", Path: "p" },
        { Name: "a", Provider: "own", Path: "q" },
      ],
      'Duplicate secret "a" found',
    ],
  ])("secret blocks %j", async (SecretBlocks, text) => {
    expect((await refusal(withTask({ SecretBlocks }))).body).toContain(text);
  });

  test("constraints that need no right side, or no left one", async () => {
    const Constraints = [{ Operand: "distinct_hosts" }, { LTarget: "a", Operand: "is_set" }];
    await answers(refusal(serviceJob("a", { Constraints })), 200);
  });

  test.each([
    [{ LTarget: "a", RTarget: "b", Operand: "=", Weight: 0 }, "Affinity weight cannot be zero"],
    [{ LTarget: "a", RTarget: "b", Operand: "=", Weight: 101 }, "must be within the range [-100,100]"],
    [{ LTarget: "a", RTarget: "b" }, "Missing affinity operand"],
    [{ RTarget: "b", Operand: "=" }, "No LTarget provided but is required"],
    [{ LTarget: "a", Operand: "=" }, 'Operator "=" requires an RTarget'],
  ])("an affinity %j", async (affinity, text) => {
    expect((await refusal(serviceJob("a", { Affinities: [affinity] }))).body).toContain(text);
  });

  test.each([
    [{}, "Missing spread attribute"],
    [{ Attribute: "a", Weight: 101 }, "Spread block must have a positive weight from 0 to 100"],
    [
      { Attribute: "a", SpreadTarget: [{ Percent: 60 }, { Percent: 50 }] },
      "Sum of spread target percentages must not be greater than 100%; got 110%",
    ],
  ])("a spread %j", async (spread, text) => {
    expect((await refusal(serviceJob("a", { Spreads: [spread] }))).body).toContain(text);
  });

  test.each([
    [
      serviceJob("a", { Periodic: { Spec: "@daily" } }),
      'Periodic can only be used with "batch" or "sysbatch"',
    ],
    [batchJob("a", { Periodic: {} }), "Must specify a spec"],
    [batchJob("a", { Periodic: { Spec: "@daily", Specs: ["@hourly"] } }), "Only cron or crons may be used"],
    [batchJob("a", { Periodic: { Spec: "daily" } }), 'Invalid cron spec "daily"'],
    [batchJob("a", { Periodic: { Specs: ["0 0 * * *", "x y"] } }), 'Invalid cron spec "x y"'],
    [
      batchJob("a", { Periodic: { Spec: "@daily", TimeZone: "Mars/North" } }),
      'Invalid time zone "Mars/North"',
    ],
    [
      batchJob("a", { Periodic: { Spec: "@daily", SpecType: "x" } }),
      'Unknown periodic specification type "x"',
    ],
    [
      serviceJob("a", { ParameterizedJob: {} }),
      'Parameterized job can only be used with "batch" or "sysbatch"',
    ],
    [batchJob("a", { ParameterizedJob: { Payload: "x" } }), 'Unknown payload requirement: "x"'],
    [
      batchJob("a", { ParameterizedJob: { MetaRequired: ["x", "y"], MetaOptional: ["y"] } }),
      "Required and optional meta keys should be disjoint. Following keys exist in both: [y]",
    ],
  ])("%j", async (job, text) => {
    expect((await refusal(job)).body).toContain(text);
  });

  test.each([
    "99 * * * *",
    "0 24 * * *",
    "0 0 0 * *",
    "0 0 * FOO *",
    "0 0 * * 8",
    "* * * *",
    "@midnight",
    "@Daily",
  ])("the schedule %s, as the scheduler itself", async (Spec) => {
    expect((await refusal(batchJob("a", { Periodic: { Spec } }))).body).toContain(
      `Invalid cron spec "${Spec}"`,
    );
  });

  test("a periodic block that is not enabled is not looked at", async () => {
    await answers(refusal(serviceJob("a", { Periodic: { Enabled: false } })), 200);
  });

  test.each(["0 0 * * *", "*/5 1-3 * JAN,FEB MON#1", "0 0 0 1 1 ? 2030", "@hourly"])(
    "the schedule %s",
    async (Spec) => {
      await answers(refusal(batchJob("a", { Periodic: { Spec } })), 200);
    },
  );
});

describe("Create job: what a stored job cannot become", () => {
  test.each([
    [serviceJob("a"), batchJob("a"), 'cannot update job from type "service" to "batch"'],
    [
      batchJob("a"),
      batchJob("a", { Periodic: { Spec: "@daily" } }),
      "cannot update non-periodic job to being periodic",
    ],
    [
      batchJob("a", { Periodic: { Spec: "@daily" } }),
      batchJob("a"),
      "cannot update periodic job to being non-periodic",
    ],
    [
      batchJob("a"),
      batchJob("a", { ParameterizedJob: {} }),
      "cannot update non-parameterized job to being parameterized",
    ],
    [
      batchJob("a", { ParameterizedJob: {} }),
      batchJob("a"),
      "cannot update parameterized job to being non-parameterized",
    ],
  ])("from %j", async (before, after, text) => {
    await scene.existing(before);
    await answers(scene.register(after), 500, text);
  });
});

describe("Create job: what is just within bounds", () => {
  test.each([
    ["priorities", serviceJob("a", { Priority: 100 })],
    ["the least priority", serviceJob("a", { Priority: 1 })],
    ["no allocations at all", withGroup({ Count: 0 })],
    ["a system job's one", withGroup({ Count: 1 }, { Type: "system" })],
    [
      "the smallest disk that holds its logs",
      withTask({ LogConfig: { MaxFiles: 9, MaxFileSizeMB: 1 } }, {}, { EphemeralDisk: { SizeMB: 10 } }),
    ],
    ["one leader", withTask({ Leader: true })],
    ["no delays", withTask({ KillTimeout: 0, ShutdownDelay: 0 }, {}, { ShutdownDelay: 0 })],
    ["a kill timeout of the progress deadline", withTask({ KillTimeout: 600_000_000_000 })],
    ["the least resources", withTask({ Resources: { CPU: 1, MemoryMB: 10, MemoryMaxMB: 10 } })],
    ["cores beside the default cpu", withTask({ Resources: { CPU: 100, Cores: 1 } })],
    ["one log file", withTask({ LogConfig: { MaxFiles: 1, MaxFileSizeMB: 1 } })],
    ["disabled logs, however many", withTask({ LogConfig: { MaxFiles: 900, Disabled: true } })],
    ["no splay", withTask({ Templates: [{ EmbeddedTmpl: "a", DestPath: "a", Splay: 0 }] })],
    ["updates at once", withGroup({ Update: { MaxParallel: 0, MinHealthyTime: 0, ProgressDeadline: 0 } })],
    [
      "the shortest restart interval",
      withGroup({ RestartPolicy: { Interval: 5_000_000_000, Attempts: 1, Delay: 5_000_000_000 } }),
    ],
    ["no restarts", withGroup({ RestartPolicy: { Attempts: 0 } })],
    ["a scaling policy of one count", withGroup({ Count: 2, Scaling: { Min: 2, Max: 2 } })],
    [
      "an affinity of -100",
      serviceJob("a", { Affinities: [{ LTarget: "a", RTarget: "b", Operand: "=", Weight: -100 }] }),
    ],
    [
      "a spread of 100",
      serviceJob("a", { Spreads: [{ Attribute: "a", Weight: 100, SpreadTarget: [{ Percent: 100 }] }] }),
    ],
    [
      "one of a property",
      serviceJob("a", { Constraints: [{ LTarget: "a", RTarget: "1", Operand: "distinct_property" }] }),
    ],
  ])("%s", async (_what, job) => {
    expect(await refusal(job)).toMatchObject({ status: 200 });
  });

  test("the position of what is wrong counts from 1", async () => {
    const right = { LTarget: "a", RTarget: "b", Operand: "=" };
    const { body } = await refusal(
      serviceJob("a", {
        Constraints: [right, {}],
        Affinities: [right, {}],
        Spreads: [{ Attribute: "a" }, {}],
      }),
    );
    for (const what of ["Constraint", "Affinity", "Spread"])
      expect(body).toContain(`${what} 2 validation failed`);
  });
});

import { answers } from "./in-process";
import { batchJob, Scene, scene, serviceJob } from "./scheduler-scene";

const register = async (job: unknown, switches: ConstructorParameters<typeof Scene>[0] = {}) => {
  const { status, body } = await new Scene(switches).send("POST", "/jobs", { Job: job });
  return { status, body };
};

/** Declares a test for each row of the table: the job of the row is rejected with the text of its key. */
function rejects<T extends object>(what: string, job: (row: T) => object, table: Record<string, T>): void {
  test.each(Object.entries(table))(`rejects ${what}: %s`, async (text, row) => {
    await answers(register(job(row)), 400, expect.stringContaining(text));
  });
}

const withTask = (task: object, fields: object = {}, group: object = {}) =>
  serviceJob("web", fields, group, task);
const withGroup = (group: object, fields: object = {}) => serviceJob("web", fields, group);

describe("Create job: the body", () => {
  test.each([
    [{}, "Job must be specified"],
    [{ Job: null }, "Job must be specified"],
    [{ Job: { Name: "web" } }, "Job ID hasn't been provided"],
  ])("returns 400 for the body %j", async (body, text) => {
    await answers(scene.send("POST", "/jobs", body), 400, text);
  });

  test.each(
    Object.entries({
      "json: cannot unmarshal array into Go struct field JobRegisterRequest of type struct": [],
      "json: cannot unmarshal string into Go struct field JobRegisterRequest of type struct": '"text"',
      "json: cannot unmarshal number into Go struct field JobRegisterRequest.Job of type struct": { Job: 1 },
      "json: cannot unmarshal number into Go struct field JobRegisterRequest.Job.ID of type string": {
        Job: { ID: 5 },
      },
      "json: cannot unmarshal string into Go struct field JobRegisterRequest.Job.Priority of type int": {
        Job: { ID: "a", Priority: "high" },
      },
      "json: cannot unmarshal number 1.5 into Go struct field JobRegisterRequest.Job.Priority of type int": {
        Job: { ID: "a", Priority: 1.5 },
      },
      "json: cannot unmarshal object into Go struct field JobRegisterRequest.Job.TaskGroups of type []interface {}":
        { Job: { ID: "a", TaskGroups: {} } },
      "json: cannot unmarshal bool into Go struct field JobRegisterRequest.Job.TaskGroups.Count of type int":
        { Job: { ID: "a", TaskGroups: [{ Count: true }] } },
      "json: cannot unmarshal array into Go struct field JobRegisterRequest.Job.Meta of type map[string]interface {}":
        { Job: { ID: "a", Meta: [] } },
      "json: cannot unmarshal number into Go struct field JobRegisterRequest.Job.Meta of type string": {
        Job: { ID: "a", Meta: { x: 1 } },
      },
      "json: cannot unmarshal string into Go struct field JobRegisterRequest.EnforceIndex of type bool": {
        Job: { ID: "a" },
        EnforceIndex: "yes",
      },
      "json: cannot unmarshal string into Go struct field JobRegisterRequest.Job.TaskGroups.Tasks.KillTimeout of type int":
        { Job: { ID: "a", TaskGroups: [{ Tasks: [{ KillTimeout: "5s" }] }] } },
    }),
  )("returns 400 with the error of the decoder: %s", async (text, body) => {
    await answers(scene.send("POST", "/jobs", body), 400, text);
  });
});

describe("Create job: an invalid job", () => {
  test("returns 400, or the status in validationStatus, and is not stored", async () => {
    const text = "1 error occurred:\n\t* Missing job task groups\n\n";
    expect(await register({ ID: "web" })).toEqual({ status: 400, body: text });
    expect(await register({ ID: "web" }, { validationStatus: 500 })).toEqual({ status: 500, body: text });
    await scene.register({ ID: "web" });
    await answers(scene.get("/job/web"), 404);
  });

  test("returns all errors at once, with a nested list for each group", async () => {
    const { body } = await register({ ID: "a b", Type: "cron", TaskGroups: [{ Name: "g" }] });
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

  rejects("a job", (job) => job, {
    "Missing job ID": serviceJob(""),
    "Job ID contains a null character": serviceJob("a\0b"),
    "Job Name contains a null character": serviceJob("a", { Name: "a\0b" }),
    'Invalid job type: "cron"': serviceJob("a", { Type: "cron" }),
    'job "a" is in nonexistent namespace "no"': serviceJob("a", { Namespace: "no" }),
    'job "a" is in nonexistent node pool "no"': serviceJob("a", { NodePool: "no" }),
    "Job datacenter must be non-empty string": serviceJob("a", { Datacenters: [""] }),
    "job priority must be between [1, 100]": serviceJob("a", { Priority: 101 }),
    "1 error occurred:\n\t* job priority must be between [1, 100]": serviceJob("a", { Priority: -1 }),
    "Job task group 1 missing name": withGroup({ Name: "" }),
    "Job task group 2 redefines 'g' from group 1": {
      ...serviceJob("a"),
      TaskGroups: [{ Name: "g" }, { Name: "g" }],
    },
    "Task group count can't be negative": withGroup({ Count: -1 }),
    "Job task group web has count 2. Count cannot exceed 1 with system scheduler": withGroup(
      { Count: 2 },
      { Type: "system" },
    ),
    "ShutdownDelay must be a positive value": withGroup({ ShutdownDelay: -1 }),
    "minimum DiskMB value is 10; got 5": withGroup({ EphemeralDisk: { SizeMB: 5 } }),
    "System jobs may not have an affinity block": serviceJob("a", {
      Type: "system",
      Affinities: [{ LTarget: "a", RTarget: "b", Operand: "=" }],
    }),
    "System jobs may not have a spread block": serviceJob("a", {
      Type: "system",
      Spreads: [{ Attribute: "a" }],
    }),
    "System or sysbatch jobs should not have a reschedule policy": withGroup(
      { ReschedulePolicy: { Attempts: 1 } },
      { Type: "system" },
    ),
    'Job type "batch" does not allow update block': batchJob("a", {}, { Update: { MaxParallel: 1 } }),
    'Job type "batch" does not allow migrate block': batchJob("a", {}, { Migrate: { MaxParallel: 1 } }),
    "Only one task may be marked as leader": withGroup({
      Tasks: [
        { Name: "a", Driver: "x", Leader: true },
        { Name: "b", Driver: "x", Leader: true },
      ],
    }),
    "Task 2 redefines 'a' from task 1": withGroup({
      Tasks: [
        { Name: "a", Driver: "x" },
        { Name: "a", Driver: "x" },
      ],
    }),
    "Task group web must have at least one main task": withTask({ Lifecycle: { Hook: "prestart" } }),
    "maximum count must not be less than minimum count": withGroup({ Count: 3, Scaling: { Min: 4, Max: 2 } }),
    "task group count must not be less than minimum count in scaling policy": withGroup({
      Count: 1,
      Scaling: { Min: 2, Max: 4 },
    }),
    "task group count must not be greater than maximum count in scaling policy": withGroup({
      Count: 9,
      Scaling: { Min: 2, Max: 4 },
    }),
  });

  rejects("a task", withTask, {
    "Task 1 missing name": { Name: "" },
    "Missing task driver": { Driver: "" },
    'Task cannot be named "alloc"': { Name: "alloc" },
    "Task name cannot include slashes": { Name: "a/b" },
    "KillTimeout must be a positive value": { KillTimeout: -1 },
    "KillTimout (11m40s) longer than the group's ProgressDeadline (10m0s)": {
      KillTimeout: 700_000_000_000,
    },
    "ShutdownDelay must be a positive value": { ShutdownDelay: -1 },
    "minimum CPU value is 1; got -1": { Resources: { CPU: -1 } },
    "minimum MemoryMB value is 10; got 5": { Resources: { MemoryMB: 5 } },
    "MemoryMaxMB value (20) should be larger than MemoryMB value (50)": {
      Resources: { MemoryMB: 50, MemoryMaxMB: 20 },
    },
    "Task can only ask for 'cpu' or 'cores' resource, not both.": { Resources: { CPU: 200, Cores: 2 } },
    "minimum number of files is 1; got 0": { LogConfig: { MaxFiles: 0 } },
    "minimum file size is 1MB; got 0": { LogConfig: { MaxFileSizeMB: 0 } },
    "log storage (300 MB) must be less than requested disk capacity (300 MB)": {
      LogConfig: { MaxFiles: 30, MaxFileSizeMB: 10 },
    },
    "Constraint 1 has disallowed Operand at task level: distinct_hosts": {
      Constraints: [{ Operand: "distinct_hosts" }],
    },
    "Artifact 1 validation failed: 1 error occurred:\n\t* source must be specified": { Artifacts: [{}] },
    "Must specify a source path or have an embedded template": { Templates: [{ DestPath: "a" }] },
    "Must specify a destination for the template": { Templates: [{ EmbeddedTmpl: "a" }] },
    'Invalid change mode given: "no"': {
      Templates: [{ EmbeddedTmpl: "a", DestPath: "a", ChangeMode: "no" }],
    },
    "Must specify positive splay value": { Templates: [{ EmbeddedTmpl: "a", DestPath: "a", Splay: -1 }] },
    "Template 2 has same destination as 1": {
      Templates: [
        { EmbeddedTmpl: "a", DestPath: "a" },
        { EmbeddedTmpl: "b", DestPath: "a" },
      ],
    },
    "no lifecycle hook provided": { Lifecycle: { Sidecar: true } },
    "invalid hook: later": { Lifecycle: { Hook: "later" } },
    "Volume Mount (0) references undefined volume data": { VolumeMounts: [{ Volume: "data" }] },
  });

  rejects("an update strategy", (update) => withGroup({ Update: update }), {
    'Invalid health check given: "no"': { HealthCheck: "no" },
    "Max parallel can not be less than zero: -1 < 0": { MaxParallel: -1 },
    "Canary count can not be less than zero: -1 < 0": { Canary: -1 },
    "Auto Promote requires a Canary count greater than zero": { AutoPromote: true },
    "Minimum healthy time may not be less than zero: -1ns": { MinHealthyTime: -1 },
    "Healthy deadline must be greater than zero: 0s": { HealthyDeadline: 0 },
    "Progress deadline must be zero or greater: -1.5ms": { ProgressDeadline: -1_500_000 },
    "Minimum healthy time must be less than healthy deadline: 1h0m0s > 5m0s": {
      MinHealthyTime: 3_600_000_000_000,
    },
    "Healthy deadline must be less than progress deadline: 5m0s > 1m30.5s": {
      ProgressDeadline: 90_500_000_000,
    },
    "Stagger must be greater than zero: 0s": { Stagger: 0 },
  });

  rejects("a restart policy", (restart) => withGroup({ RestartPolicy: restart }), {
    'Unsupported restart mode: "no"': { Mode: "no" },
    'Restart policy "delay" with 0 attempts is ambiguous': { Mode: "delay", Attempts: 0 },
    "Interval can not be less than 5s (got 4s)": { Interval: 4_000_000_000 },
    "can't restart the TaskGroup 200 times in an interval of 30m0s with a delay of 15s": { Attempts: 200 },
  });

  test.each(
    Object.entries({
      "Missing constraint operand": { LTarget: "a", RTarget: "b" },
      'Unknown constraint type "~"': { LTarget: "a", RTarget: "b", Operand: "~" },
      'Operator "=" requires an RTarget': { LTarget: "a", Operand: "=" },
      "Set contains constraint requires an RTarget": { LTarget: "a", Operand: "set_contains" },
      'Operator "is_set" does not support an RTarget': { LTarget: "a", RTarget: "b", Operand: "is_set" },
      "no attribute provided but is required by operator": { RTarget: "b", Operand: "=" },
      "Distinct Property must have an allowed count of 1 or greater: 0 < 1": {
        LTarget: "a",
        RTarget: "0",
        Operand: "distinct_property",
      },
    }),
  )("rejects a constraint of a job, group or task: %s", async (text, constraint) => {
    expect((await register(serviceJob("a", { Constraints: [constraint] }))).body).toContain(text);
    expect((await register(withGroup({ Constraints: [constraint] }))).body).toContain(text);
    expect((await register(withTask({ Constraints: [constraint] }))).body).toContain(text);
  });

  rejects("a secret block", (SecretBlocks) => withTask({ SecretBlocks }), {
    "secret name cannot be empty": [{ Name: "", Provider: "a", Path: "p" }],
    "secret name must match regex ^[a-zA-Z0-9_]{1,128}$": [{ Name: "a-b", Provider: "a", Path: "p" }],
    'Secret "a" is invalid: 1 error occurred:\n\t* secret provider cannot be empty': [
      { Name: "a", Path: "p" },
    ],
    "secret path cannot be empty": [{ Name: "a", Provider: "nomad" }],
    'Secret "a" has provider "vault" but no vault block': [{ Name: "a", Provider: "vault", Path: "p" }],
    "nomad provider cannot use the env block": [{ Name: "a", Provider: "nomad", Path: "p", Env: { A: "b" } }],
    "custom plugin provider own cannot use the config block": [
      { Name: "a", Provider: "own", Path: "p", Config: { A: "b" } },
    ],
    'Duplicate secret "a" found': [
      { Name: "a", Provider: "own", Path: "p" },
      { Name: "a", Provider: "own", Path: "q" },
    ],
  });

  test("accepts constraints that need no RTarget or no LTarget", async () => {
    const Constraints = [{ Operand: "distinct_hosts" }, { LTarget: "a", Operand: "is_set" }];
    await answers(register(serviceJob("a", { Constraints })), 200);
  });

  rejects("an affinity", (affinity) => serviceJob("a", { Affinities: [affinity] }), {
    "Affinity weight cannot be zero": { LTarget: "a", RTarget: "b", Operand: "=", Weight: 0 },
    "must be within the range [-100,100]": { LTarget: "a", RTarget: "b", Operand: "=", Weight: 101 },
    "Missing affinity operand": { LTarget: "a", RTarget: "b" },
    "No LTarget provided but is required": { RTarget: "b", Operand: "=" },
    'Operator "=" requires an RTarget': { LTarget: "a", Operand: "=" },
  });

  rejects("a spread", (spread) => serviceJob("a", { Spreads: [spread] }), {
    "Missing spread attribute": {},
    "Spread block must have a positive weight from 0 to 100": { Attribute: "a", Weight: 101 },
    "Sum of spread target percentages must not be greater than 100%; got 110%": {
      Attribute: "a",
      SpreadTarget: [{ Percent: 60 }, { Percent: 50 }],
    },
  });

  rejects("a periodic or parameterized job", (job) => job, {
    'Periodic can only be used with "batch" or "sysbatch"': serviceJob("a", { Periodic: { Spec: "@daily" } }),
    "Must specify a spec": batchJob("a", { Periodic: {} }),
    "Only cron or crons may be used": batchJob("a", { Periodic: { Spec: "@daily", Specs: ["@hourly"] } }),
    'Invalid cron spec "daily"': batchJob("a", { Periodic: { Spec: "daily" } }),
    'Invalid cron spec "x y"': batchJob("a", { Periodic: { Specs: ["0 0 * * *", "x y"] } }),
    'Invalid time zone "Mars/North"': batchJob("a", { Periodic: { Spec: "@daily", TimeZone: "Mars/North" } }),
    'Unknown periodic specification type "x"': batchJob("a", { Periodic: { Spec: "@daily", SpecType: "x" } }),
    'Parameterized job can only be used with "batch" or "sysbatch"': serviceJob("a", {
      ParameterizedJob: {},
    }),
    'Unknown payload requirement: "x"': batchJob("a", { ParameterizedJob: { Payload: "x" } }),
    "Required and optional meta keys should be disjoint. Following keys exist in both: [y]": batchJob("a", {
      ParameterizedJob: { MetaRequired: ["x", "y"], MetaOptional: ["y"] },
    }),
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
  ])("rejects the schedule %s", async (Spec) => {
    expect((await register(batchJob("a", { Periodic: { Spec } }))).body).toContain(
      `Invalid cron spec "${Spec}"`,
    );
  });

  test("does not validate a disabled periodic block", async () => {
    await answers(register(serviceJob("a", { Periodic: { Enabled: false } })), 200);
  });

  test.each(["0 0 * * *", "*/5 1-3 * JAN,FEB MON#1", "0 0 0 1 1 ? 2030", "@hourly"])(
    "accepts the schedule %s",
    async (Spec) => {
      await answers(register(batchJob("a", { Periodic: { Spec } })), 200);
    },
  );
});

describe("Create job: unsupported changes of a stored job", () => {
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
  ])("rejects a change from %j to %j", async (before, after, text) => {
    await scene.existing(before);
    await answers(scene.register(after), 500, text);
  });
});

describe("Create job: limits", () => {
  test.each([
    ["the highest priority", serviceJob("a", { Priority: 100 })],
    ["the lowest priority", serviceJob("a", { Priority: 1 })],
    ["a count of 0", withGroup({ Count: 0 })],
    ["a system job with a count of 1", withGroup({ Count: 1 }, { Type: "system" })],
    [
      "the smallest disk that is larger than the logs",
      withTask({ LogConfig: { MaxFiles: 9, MaxFileSizeMB: 1 } }, {}, { EphemeralDisk: { SizeMB: 10 } }),
    ],
    ["one leader", withTask({ Leader: true })],
    ["no delays", withTask({ KillTimeout: 0, ShutdownDelay: 0 }, {}, { ShutdownDelay: 0 })],
    ["a kill timeout equal to the progress deadline", withTask({ KillTimeout: 600_000_000_000 })],
    ["the minimum resources", withTask({ Resources: { CPU: 1, MemoryMB: 10, MemoryMaxMB: 10 } })],
    ["cores together with the default CPU", withTask({ Resources: { CPU: 100, Cores: 1 } })],
    ["one log file", withTask({ LogConfig: { MaxFiles: 1, MaxFileSizeMB: 1 } })],
    [
      "any number of log files if logs are disabled",
      withTask({ LogConfig: { MaxFiles: 900, Disabled: true } }),
    ],
    ["no splay", withTask({ Templates: [{ EmbeddedTmpl: "a", DestPath: "a", Splay: 0 }] })],
    [
      "an update strategy with zero MaxParallel, MinHealthyTime and ProgressDeadline",
      withGroup({ Update: { MaxParallel: 0, MinHealthyTime: 0, ProgressDeadline: 0 } }),
    ],
    [
      "the shortest restart interval",
      withGroup({ RestartPolicy: { Interval: 5_000_000_000, Attempts: 1, Delay: 5_000_000_000 } }),
    ],
    ["no restarts", withGroup({ RestartPolicy: { Attempts: 0 } })],
    ["a scaling policy with equal Min and Max", withGroup({ Count: 2, Scaling: { Min: 2, Max: 2 } })],
    [
      "an affinity weight of -100",
      serviceJob("a", { Affinities: [{ LTarget: "a", RTarget: "b", Operand: "=", Weight: -100 }] }),
    ],
    [
      "a spread weight of 100",
      serviceJob("a", { Spreads: [{ Attribute: "a", Weight: 100, SpreadTarget: [{ Percent: 100 }] }] }),
    ],
    [
      "distinct_property with an allowed count of 1",
      serviceJob("a", { Constraints: [{ LTarget: "a", RTarget: "1", Operand: "distinct_property" }] }),
    ],
  ])("accepts %s", async (_what, job) => {
    expect(await register(job)).toMatchObject({ status: 200 });
  });

  test("error messages count constraints, affinities and spreads from 1", async () => {
    const right = { LTarget: "a", RTarget: "b", Operand: "=" };
    const { body } = await register(
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

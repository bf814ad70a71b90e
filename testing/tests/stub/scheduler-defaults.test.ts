import { batchJob, Scene, scene, serviceJob } from "./scheduler-scene";

const SECOND = 1_000_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const UPDATE = {
  Stagger: 30 * SECOND,
  MaxParallel: 1,
  HealthCheck: "checks",
  MinHealthyTime: 10 * SECOND,
  HealthyDeadline: 5 * MINUTE,
  ProgressDeadline: 10 * MINUTE,
  AutoRevert: false,
  AutoPromote: false,
  Canary: 0,
};

const stored = async (job: object) => {
  const scene = new Scene();
  await scene.existing(job);
  return scene.job((job as { ID: string }).ID);
};

describe("Defaults: the job", () => {
  test("fills in omitted fields of a job", async () => {
    expect(await stored(serviceJob("web"))).toMatchObject({
      Name: "web",
      Region: "global",
      Namespace: "default",
      Type: "service",
      Priority: 50,
      AllAtOnce: false,
      Datacenters: ["*"],
      NodePool: "default",
      Update: { Stagger: 30 * SECOND, MaxParallel: 1 },
      Constraints: null,
      Affinities: null,
      Spreads: null,
      Meta: null,
      Payload: null,
      Periodic: null,
      ParameterizedJob: null,
      Multiregion: null,
      Stop: false,
    });
  });

  test("does not change explicit values", async () => {
    const fields = { Name: "The web", Priority: 70, Datacenters: ["dc1"], NodePool: "gpu", AllAtOnce: true };
    expect(await stored(serviceJob("web", fields))).toMatchObject(fields);
  });

  test("replaces empty strings, empty lists and a zero priority with the defaults", async () => {
    const fields = { Name: "", Priority: 0, Datacenters: [], NodePool: "", Namespace: "", Region: "" };
    expect(await stored(serviceJob("web", fields))).toMatchObject({
      Name: "web",
      Priority: 50,
      Datacenters: ["*"],
      NodePool: "default",
      Namespace: "default",
    });
  });

  test("returns empty maps and lists as null", async () => {
    const job = await stored(
      serviceJob(
        "web",
        { Meta: {}, Constraints: [], Affinities: [], Spreads: [] },
        { Meta: {}, Services: [], Networks: [], Volumes: {}, Constraints: [] },
        { Env: {}, Config: {}, Templates: [], Artifacts: [] },
      ),
    );
    expect(job).toMatchObject({ Meta: null, Constraints: null, Affinities: null, Spreads: null });
    const [group] = job.TaskGroups;
    expect(group).toMatchObject({
      Meta: null,
      Services: null,
      Networks: null,
      Volumes: null,
      Constraints: null,
    });
    expect(group.Tasks[0]).toMatchObject({ Env: null, Config: null, Templates: null, Artifacts: null });
  });

  test("preserves empty maps and lists and null in a driver's configuration", async () => {
    const config = { labels: {}, args: [], nothing: null, deep: { a: [{}] } };
    const job = await stored(serviceJob("web", {}, {}, { Config: config }));
    expect(job.TaskGroups[0].Tasks[0].Config).toEqual(config);
  });

  test("fills in periodic and parameterized blocks", async () => {
    expect((await stored(batchJob("p", { Periodic: { Spec: "@daily" } }))).Periodic).toEqual({
      Enabled: true,
      Spec: "@daily",
      Specs: null,
      SpecType: "cron",
      ProhibitOverlap: false,
      TimeZone: "UTC",
    });
    expect((await stored(batchJob("a", { ParameterizedJob: {} }))).ParameterizedJob).toEqual({
      Payload: "optional",
      MetaRequired: null,
      MetaOptional: null,
    });
  });

  test("affinities and spreads have a weight of 50", async () => {
    const job = await stored(
      serviceJob("web", {
        Affinities: [{ LTarget: "a", RTarget: "b", Operand: "=" }],
        Spreads: [{ Attribute: "x" }],
      }),
    );
    expect([job.Affinities[0].Weight, job.Spreads[0].Weight]).toEqual([50, 50]);
  });

  test("drops unknown fields and matches field names case-insensitively", async () => {
    await scene.existing({ ...serviceJob("web"), priority: 61, Nonsense: 1 });
    const job = await scene.job("web");
    expect(job.Priority).toBe(61);
    expect(job).not.toHaveProperty("Nonsense");
    expect(job).not.toHaveProperty("priority");
  });
});

describe("Defaults: the group", () => {
  test.each([
    [
      "service",
      { Attempts: 2, Interval: 30 * MINUTE, Delay: 15 * SECOND, Mode: "fail", RenderTemplates: false },
      {
        Attempts: 0,
        Interval: 0,
        Delay: 30 * SECOND,
        DelayFunction: "exponential",
        MaxDelay: HOUR,
        Unlimited: true,
      },
      UPDATE,
      { MaxParallel: 1, HealthCheck: "checks", MinHealthyTime: 10 * SECOND, HealthyDeadline: 5 * MINUTE },
    ],
    [
      "batch",
      { Attempts: 3, Interval: 24 * HOUR, Delay: 15 * SECOND, Mode: "fail", RenderTemplates: false },
      {
        Attempts: 1,
        Interval: 24 * HOUR,
        Delay: 5 * SECOND,
        DelayFunction: "constant",
        MaxDelay: 0,
        Unlimited: false,
      },
      null,
      null,
    ],
    [
      "system",
      { Attempts: 2, Interval: 30 * MINUTE, Delay: 15 * SECOND, Mode: "fail", RenderTemplates: false },
      null,
      UPDATE,
      null,
    ],
    [
      "sysbatch",
      { Attempts: 3, Interval: 24 * HOUR, Delay: 15 * SECOND, Mode: "fail", RenderTemplates: false },
      null,
      null,
      null,
    ],
  ])(
    "fills in the policies of a group in a %s job",
    async (Type, RestartPolicy, ReschedulePolicy, Update, Migrate) => {
      const [group] = (await stored(serviceJob("web", { Type }))).TaskGroups;
      expect(group).toMatchObject({
        Count: 1,
        RestartPolicy,
        EphemeralDisk: { Sticky: false, SizeMB: 300, Migrate: false },
        Scaling: null,
        ShutdownDelay: null,
        MaxClientDisconnect: null,
        StopAfterClientDisconnect: null,
      });
      expect([group.ReschedulePolicy, group.Update, group.Migrate]).toEqual([
        ReschedulePolicy,
        Update,
        Migrate,
      ]);
    },
  );

  test("fields of the group override fields of the job, and both override the defaults", async () => {
    const job = await stored(
      serviceJob(
        "web",
        { Update: { MaxParallel: 4, Canary: 2 }, Reschedule: { Delay: MINUTE }, Migrate: { MaxParallel: 3 } },
        { Update: { Canary: 1 }, RestartPolicy: { Attempts: 5 }, ReschedulePolicy: { MaxDelay: 2 * HOUR } },
      ),
    );
    expect(job.Update).toMatchObject({ Stagger: 30 * SECOND, MaxParallel: 4, HealthCheck: "" });
    const [group] = job.TaskGroups;
    expect(group.Update).toEqual({ ...UPDATE, MaxParallel: 4, Canary: 1 });
    expect(group.RestartPolicy).toMatchObject({ Attempts: 5, Interval: 30 * MINUTE });
    expect(group.ReschedulePolicy).toMatchObject({
      Delay: MINUTE,
      MaxDelay: 2 * HOUR,
      DelayFunction: "exponential",
    });
    expect(group.Migrate).toMatchObject({ MaxParallel: 3, HealthCheck: "checks" });
    expect(job).not.toHaveProperty("Reschedule");
    expect(job).not.toHaveProperty("Migrate");
  });

  test("the count defaults to the scaling minimum, and the scaling minimum to the count", async () => {
    const [least] = (await stored(serviceJob("web", {}, { Scaling: { Min: 2, Max: 5 } }))).TaskGroups;
    expect(least).toMatchObject({ Count: 2, Scaling: { Min: 2, Max: 5, Enabled: true, Type: "horizontal" } });
    const [counted] = (await stored(serviceJob("web", {}, { Count: 3, Scaling: { Max: 5 } }))).TaskGroups;
    expect(counted).toMatchObject({ Count: 3, Scaling: { Min: 3 } });
    expect(counted.Scaling.Target).toEqual({ Namespace: "default", Job: "web", Group: "web" });
  });
});

describe("Defaults: the task", () => {
  const task = async (fields: object = {}, group: object = {}) =>
    (await stored(serviceJob("web", {}, group, fields))).TaskGroups[0].Tasks[0];

  test("fills in omitted fields of a task", async () => {
    expect(await task()).toMatchObject({
      Resources: { CPU: 100, MemoryMB: 300, Cores: 0, MemoryMaxMB: 0 },
      KillTimeout: 5 * SECOND,
      LogConfig: { MaxFiles: 10, MaxFileSizeMB: 10, Disabled: false },
      Leader: false,
      Lifecycle: null,
      Secrets: null,
      DispatchPayload: null,
    });
  });

  test("CPU has no default if cores are set", async () => {
    expect((await task({ Resources: { Cores: 2 } })).Resources).toMatchObject({ CPU: 0, Cores: 2 });
  });

  test("inherits omitted fields of the restart policy from the group", async () => {
    const group = { RestartPolicy: { Attempts: 7 } };
    expect((await task({}, group)).RestartPolicy.Attempts).toBe(7);
    expect((await task({ RestartPolicy: { Mode: "delay" } }, group)).RestartPolicy).toMatchObject({
      Attempts: 7,
      Mode: "delay",
    });
  });

  test.each([
    [
      { EmbeddedTmpl: "x", DestPath: "a" },
      { ChangeMode: "restart", ChangeSignal: "", Splay: 5 * SECOND },
    ],
    [
      { EmbeddedTmpl: "x", DestPath: "a" },
      { Perms: "0644", LeftDelim: "{{", RightDelim: "}}", Envvars: false },
    ],
    [{ EmbeddedTmpl: "x", DestPath: "a", ChangeMode: "signal" }, { ChangeSignal: "SIGHUP" }],
    [
      { EmbeddedTmpl: "x", DestPath: "a", ChangeMode: "signal", ChangeSignal: "sigusr1" },
      { ChangeSignal: "SIGUSR1" },
    ],
  ])("a template %j has the defaults %j", async (template, expected) => {
    expect((await task({ Templates: [template] })).Templates[0]).toMatchObject(expected);
  });

  test.each([
    [
      { GetterSource: "https://x/y.zip" },
      { GetterMode: "any", RelativeDest: "local/", GetterInsecure: false },
    ],
    [{ GetterSource: "https://x/y.bin", GetterMode: "file" }, { RelativeDest: "local/y.bin" }],
    [{ GetterSource: "https://x/y.bin", RelativeDest: "bin/" }, { RelativeDest: "bin/" }],
  ])("an artifact %j has the defaults %j", async (artifact, expected) => {
    expect((await task({ Artifacts: [artifact] })).Artifacts[0]).toMatchObject(expected);
  });

  test("fills in a secrets block", async () => {
    expect((await task({ Secrets: { Role: "web" } })).Secrets).toMatchObject({
      Role: "web",
      Env: true,
      DisableFile: false,
      ChangeMode: "restart",
      ChangeSignal: "SIGHUP",
      Cluster: "default",
    });
  });

  test("an empty lifecycle is stored as null", async () => {
    expect((await task({ Lifecycle: { Hook: "", Sidecar: false } })).Lifecycle).toBeNull();
  });
});

describe("Defaults: services", () => {
  test("fills in the services of a task and of a group", async () => {
    const job = await stored(
      serviceJob("web", {}, { Services: [{}] }, { Services: [{ PortLabel: "http" }] }),
    );
    const [group] = job.TaskGroups;
    expect(group.Services[0]).toMatchObject({
      Name: "web-web",
      Provider: "consul",
      AddressMode: "auto",
      OnUpdate: "require_healthy",
      Cluster: "default",
      TaskName: "",
    });
    expect(group.Tasks[0].Services[0]).toMatchObject({ Name: "web-web-server", TaskName: "server" });
  });

  test("does not change explicit values of a service", async () => {
    const service = {
      Name: "api",
      AddressMode: "host",
      OnUpdate: "ignore",
      Provider: "nomad",
      Cluster: "east",
    };
    const job = await stored(serviceJob("web", {}, { Services: [service] }));
    expect(job.TaskGroups[0].Services[0]).toMatchObject(service);
  });

  test("checks inherit OnUpdate and CheckRestart from their service", async () => {
    const service = {
      OnUpdate: "ignore",
      CheckRestart: { Limit: 3, Grace: SECOND },
      Checks: [{ Type: "tcp" }, { Type: "tcp", OnUpdate: "require_healthy", CheckRestart: { Limit: 1 } }],
    };
    const job = await stored(serviceJob("web", {}, { Services: [service] }));
    const { Checks, ...rest } = job.TaskGroups[0].Services[0];
    expect(rest).not.toHaveProperty("CheckRestart");
    expect(Checks).toMatchObject([
      { OnUpdate: "ignore", CheckRestart: { Limit: 3, Grace: SECOND } },
      { OnUpdate: "require_healthy", CheckRestart: { Limit: 1, Grace: SECOND } },
    ]);
  });
});

describe("Injected constraints, sidecars and identities", () => {
  const all = ["constraints", "sidecars", "identities"] as const;
  const group = async (injects: (typeof all)[number][], fields: object, task: object = {}) => {
    const scene = new Scene({ injects });
    await scene.existing(serviceJob("web", {}, fields, task));
    return (await scene.job("web")).TaskGroups[0];
  };

  test("injects nothing if no injection is enabled", async () => {
    const stored = await group([], {
      Networks: [{ Mode: "bridge" }],
      Services: [{ Connect: { SidecarService: {} } }],
    });
    expect([stored.Constraints, stored.Tasks.length, stored.Tasks[0].Identity]).toEqual([null, 1, null]);
  });

  test.each([
    [{ Services: [{ Provider: "consul" }] }, {}, ["consul.version"]],
    [{ Services: [{ Provider: "nomad" }] }, {}, ["nomad.service_discovery"]],
    [{}, { Secrets: { Role: "x" } }, ["secrets.version"]],
    [{}, { KillSignal: "SIGINT" }, ["os.signals"]],
    [
      { Networks: [{ Mode: "bridge" }] },
      {},
      ["bridge", "firewall", "host-local", "loopback", "portmap"].map(
        (name) => `plugins.cni.version.${name}`,
      ),
    ],
  ])("adds the constraints for group %j and task %j only once", async (fields, task, targets) => {
    const { Constraints } = await group(["constraints"], fields, task);
    expect(Constraints.map(({ LTarget }: { LTarget: string }) => LTarget)).toEqual(
      targets.map((target) => `\${attr.${target}}`),
    );
    const again = await group(["constraints"], { ...fields, Constraints }, task);
    expect(again.Constraints).toEqual(Constraints);
  });

  test("adds a proxy task for each connected service only once", async () => {
    const fields = { Services: [{ Name: "api", Connect: { SidecarService: {} } }] };
    const { Tasks } = await group(["sidecars"], fields);
    expect(Tasks).toMatchObject([
      { Name: "server" },
      {
        Name: "connect-proxy-api",
        Kind: "connect-proxy:api",
        Lifecycle: { Hook: "prestart", Sidecar: true },
      },
    ]);
    const scene = new Scene({ injects: ["sidecars"] });
    await scene.existing(serviceJob("web", {}, fields));
    await scene.existing(await scene.job("web"));
    expect(await scene.job("web")).toMatchObject({ Version: 0 });
  });

  test("adds a default identity to each task", async () => {
    const { Tasks } = await group(["identities"], {});
    expect(Tasks[0].Identity).toMatchObject({ Name: "default", Audience: ["nomadproject.io"] });
  });

  test("registering the same job again creates no new version", async () => {
    const scene = new Scene({ injects: [...all] });
    const job = serviceJob(
      "web",
      {},
      { Services: [{ Connect: { SidecarService: {} } }], Networks: [{ Mode: "bridge" }] },
    );
    await scene.existing(job);
    await scene.existing(job);
    expect(await scene.job("web")).toMatchObject({ Version: 0 });
  });
});

const constraint = { LTarget: "", Operand: "=", RTarget: "linux" };

/** Nomad's default restart policy on a client. */
const restart = { Attempts: 2, Delay: 15e9, Interval: 1800e9, Mode: "fail", RenderTemplates: false };

const update = {
  AutoPromote: false,
  AutoRevert: false,
  Canary: 0,
  HealthCheck: "checks",
  HealthyDeadline: 300e9,
  MaxParallel: 1,
  MinHealthyTime: 10e9,
  ProgressDeadline: 600e9,
  Stagger: 30e9,
};

const migrate = { HealthCheck: "checks", HealthyDeadline: 300e9, MaxParallel: 1, MinHealthyTime: 10e9 };

const rescheduled = {
  Attempts: 0,
  Delay: 30e9,
  DelayFunction: "exponential",
  Interval: 0,
  MaxDelay: 3600e9,
  Unlimited: true,
};

/** A job as Nomad stores it, with all defaults. */
export const kept = {
  json: {
    Stop: false,
    Name: "",
    Constraints: [constraint],
    Datacenters: ["*"],
    NodePool: "default",
    Priority: 50,
    TaskGroups: {
      "": {
        Count: 1,
        EphemeralDisk: { SizeMB: 300 },
        Migrate: migrate,
        Name: "",
        ReschedulePolicy: rescheduled,
        RestartPolicy: restart,
        Tasks: {
          "": {
            Config: {},
            Driver: "docker",
            Identity: { Audience: ["nomadproject.io"], Name: "default" },
            KillTimeout: 5e9,
            LogConfig: { MaxFileSizeMB: 10, MaxFiles: 10 },
            Name: "",
            Resources: { CPU: 100, Cores: 0, MemoryMB: 300 },
            RestartPolicy: restart,
          },
        },
        Update: update,
      },
    },
    Type: "service",
    Update: { ...update, HealthCheck: "", HealthyDeadline: 0, MinHealthyTime: 0, ProgressDeadline: 0 },
  },
  region: "global",
};

/** The members that differ in a batch job. */
export const batch = {
  Periodic: {
    Enabled: true,
    ProhibitOverlap: false,
    Spec: "",
    SpecType: "cron",
    Specs: [""],
    TimeZone: "UTC",
  },
  ReschedulePolicy: { ...rescheduled, Attempts: 1, Delay: 5e9, DelayFunction: "constant", Interval: 86400e9 },
  RestartPolicy: { ...restart, Attempts: 3, Interval: 86400e9 },
  Type: "batch",
};

/** The same job, with its members in the order of the specification. */
export const specified = {
  Type: "service",
  Priority: 50,
  Datacenters: ["*"],
  NodePool: "default",
  TaskGroups: {
    "": {
      Name: "",
      Count: 1,
      Update: {
        Stagger: 30e9,
        MaxParallel: 1,
        HealthCheck: "checks",
        MinHealthyTime: 10e9,
        HealthyDeadline: 300e9,
        ProgressDeadline: 600e9,
        AutoRevert: false,
        AutoPromote: false,
        Canary: 0,
      },
      Migrate: { MaxParallel: 1, HealthCheck: "checks", MinHealthyTime: 10e9, HealthyDeadline: 300e9 },
      RestartPolicy: { Attempts: 2, Interval: 1800e9, Delay: 15e9, Mode: "fail", RenderTemplates: false },
      Tasks: {
        "": {
          Name: "",
          Driver: "docker",
          Config: {},
          Resources: { CPU: 100, Cores: 0, MemoryMB: 300 },
          RestartPolicy: { Attempts: 2, Interval: 1800e9, Delay: 15e9, Mode: "fail", RenderTemplates: false },
          KillTimeout: 5e9,
          LogConfig: { MaxFiles: 10, MaxFileSizeMB: 10 },
          Identity: { Name: "default", Audience: ["nomadproject.io"] },
        },
      },
      EphemeralDisk: { SizeMB: 300 },
      ReschedulePolicy: {
        Attempts: 0,
        Interval: 0,
        Delay: 30e9,
        DelayFunction: "exponential",
        MaxDelay: 3600e9,
        Unlimited: true,
      },
    },
  },
  Update: {
    Stagger: 30e9,
    MaxParallel: 1,
    HealthCheck: "",
    MinHealthyTime: 0,
    HealthyDeadline: 0,
    ProgressDeadline: 0,
    AutoRevert: false,
    AutoPromote: false,
    Canary: 0,
  },
};

import {
  type Address,
  equalJson,
  isObject,
  type Json,
  ownMember,
  type Values,
  withoutOrdinary,
} from "../../core";
import { jobDocument } from "./jobDocument";
import { withoutOwnScale, withoutOwnTarget } from "./jobScaling";

const { blocks = [], entries = [], freeEntries = [] } = jobDocument;

const SECOND = 1_000_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Members = { readonly [member: string]: Json };
type Policy = Readonly<Record<string, Json>>;

/** The zero values that Nomad returns for members nobody set. */
const ZERO: ReadonlySet<Json> = new Set<Json>([0, "", false, null]);

/** Nomad's defaults for a service and its sidecar, in groups and in tasks. */
const IN_SERVICES: Policy = {
  AddressMode: "auto",
  OnUpdate: "require_healthy",
  Provider: "consul",
  Cluster: "default",
  "Checks.*.CheckRestart.Grace": SECOND,
  "Weights.Passing": 1,
  "Weights.Warning": 1,
  "Connect.SidecarTask.Resources.Cores": 0,
  "Connect.SidecarTask.Resources.MemoryMB": 300,
  "Connect.SidecarTask.LogConfig.MaxFiles": 10,
  "Connect.SidecarTask.LogConfig.MaxFileSizeMB": 10,
};

/** Nomad's defaults for a task. */
const IN_TASKS: Policy = {
  KillTimeout: 5 * SECOND,
  Identity: { Name: "default", Audience: ["nomadproject.io"] },
  "Secrets.Cluster": "default",
  "Secrets.ChangeSignal": "SIGHUP",
  "Mesh.Cluster": "default",
  "Templates.*.LeftDelim": "{{",
  "Templates.*.RightDelim": "}}",
  "Resources.Devices.*.Count": 1,
  "Resources.NUMA.Affinity": "none",
  "Artifacts.*.GetterMode": "any",
  "VolumeMounts.*.PropagationMode": "private",
  "ScalingPolicies.*.Min": 0,
  "ScalingPolicies.*.Enabled": true,
  "CSIPluginConfig.HealthTimeout": 30 * SECOND,
};

const IN_PLACEMENT: Policy = { "Affinities.*.Weight": 50, "Spreads.*.Weight": 50 };

const under = (place: string, members: Policy): Policy =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${place}.${name}`, value]));

/**
 * Nomad's defaults for jobs of every type (specification: Job (full); Nomad's `Canonicalize` functions). Defaults that
 * depend on other members, such as the minimum count of a scaling, are not listed here.
 */
const ALWAYS: Policy = {
  Stop: false,
  Type: "service",
  Priority: 50,
  Datacenters: ["*"],
  NodePool: "default",
  "Periodic.Enabled": true,
  "Periodic.TimeZone": "UTC",
  "ParameterizedJob.Payload": "optional",
  ...IN_PLACEMENT,
  ...under("TaskGroups.*", IN_PLACEMENT),
  ...under("TaskGroups.*.Tasks.*", IN_PLACEMENT),
  "TaskGroups.*.Scaling.Type": "horizontal",
  "TaskGroups.*.Scaling.Enabled": true,
  "TaskGroups.*.Disconnect.Reconcile": "best_score",
  "TaskGroups.*.Networks.*.ReservedPorts.*.HostNetwork": "default",
  "TaskGroups.*.Networks.*.DynamicPorts.*.HostNetwork": "default",
  ...under("TaskGroups.*.Services.*", IN_SERVICES),
  ...under("TaskGroups.*.Tasks.*.Services.*", IN_SERVICES),
  ...under("TaskGroups.*.Tasks.*", IN_TASKS),
};

const SERVICE_RESTART = { Attempts: 2, Interval: 30 * MINUTE, Delay: 15 * SECOND, Mode: "fail" };
const BATCH_RESTART = { Attempts: 3, Interval: 24 * HOUR, Delay: 15 * SECOND, Mode: "fail" };
const HEALTHY = {
  MaxParallel: 1,
  HealthCheck: "checks",
  MinHealthyTime: 10 * SECOND,
  HealthyDeadline: 5 * MINUTE,
};

const UPDATE = { ...HEALTHY, Stagger: 30 * SECOND, ProgressDeadline: 10 * MINUTE };

/** Nomad's default policies, by job type. */
const POLICIES: Readonly<Record<string, { readonly [policy: string]: Policy }>> = {
  service: {
    RestartPolicy: SERVICE_RESTART,
    ReschedulePolicy: {
      Delay: 30 * SECOND,
      DelayFunction: "exponential",
      MaxDelay: HOUR,
      Unlimited: true,
      Attempts: 0,
      Interval: 0,
    },
    Migrate: HEALTHY,
    Update: UPDATE,
  },
  batch: {
    RestartPolicy: BATCH_RESTART,
    ReschedulePolicy: {
      Delay: 5 * SECOND,
      DelayFunction: "constant",
      Attempts: 1,
      Interval: 24 * HOUR,
      Unlimited: false,
      MaxDelay: 0,
    },
  },
  system: { RestartPolicy: SERVICE_RESTART, Update: UPDATE },
  sysbatch: { RestartPolicy: BATCH_RESTART },
};

/** Removes blocks, and parts of blocks, that equal their defaults. */
function withoutUsual(members: Members, usual: Readonly<Record<string, Policy>>): Members {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, block]) => {
      const known = ownMember(usual, name);
      if (known === undefined || !isObject(block)) return [[name, block]];
      const own = Object.entries(block).filter(([part, value]) => !isUsual(value, ownMember(known, part)));
      return own.length === 0 ? [] : [[name, Object.fromEntries(own)]];
    }),
  );
}

/** True if a value equals its default. Zero is a value of its own if the default is not zero. */
function isUsual(value: Json, usual: Json | undefined): boolean {
  return usual === undefined ? ZERO.has(value) : equalJson(value, usual);
}

/**
 * Removes the default parts of a job's update strategy. Nomad stores two of its members (wire facts) and zeros for the
 * others. A `MaxParallel` of zero is a value of its own for job types that have a strategy.
 */
function withoutUsualUpdate({ Update: update, ...own }: Members, usual: Policy | undefined): Members {
  if (!isObject(update)) return { ...own, ...(update !== undefined && { Update: update }) };
  const parts = Object.entries(update).filter(([part, value]) => {
    if (part === "MaxParallel" && usual !== undefined) return value !== usual[part];
    return !ZERO.has(value) && !equalJson(value, ownMember(usual ?? {}, part) ?? null);
  });
  return { ...own, ...(parts.length > 0 && { Update: Object.fromEntries(parts) }) };
}

/** The default update strategy of a group: the job's strategy, over Nomad's defaults. */
function updateOf(job: Members, usual: Policy): Policy {
  const { Stagger, MaxParallel } = isObject(job.Update) ? job.Update : {};
  return {
    ...usual,
    ...(MaxParallel !== undefined && { MaxParallel }),
    ...(Stagger !== undefined && !ZERO.has(Stagger) && { Stagger }),
  };
}

function withoutUsualOfTask(task: Json, group: Json | undefined, restart: Policy | undefined): Json {
  if (!isObject(task)) return task;
  const { Cores: cores } = isObject(task.Resources) ? task.Resources : {};
  const { ScalingPolicies: policies, ...own } = task;
  const scaled = Array.isArray(policies)
    ? {
        ...own,
        ScalingPolicies: policies.map((policy) =>
          withoutOwnTarget(policy, { Group: group, Task: task.Name }),
        ),
      }
    : task;
  return withoutUsual(scaled, {
    LogConfig: { MaxFiles: 10, MaxFileSizeMB: 10 },
    Resources: { CPU: ZERO.has(cores ?? 0) ? 100 : 0, MemoryMB: 300 },
    ...(restart && { RestartPolicy: restart }),
  });
}

function withoutUsualOfGroup(group: Json, job: Members, policies: Readonly<Record<string, Policy>>): Json {
  const scaled = withoutOwnScale(group);
  if (!isObject(scaled)) return scaled;
  const { Update: update, RestartPolicy: restart } = policies;
  const { Tasks: tasks, ...own } = scaled;
  const usual = {
    ...policies,
    ...(update && { Update: updateOf(job, update) }),
    EphemeralDisk: { SizeMB: 300 },
  };
  // A task inherits its group's restart policy.
  const ofTasks = restart && { ...restart, ...(isObject(own.RestartPolicy) ? own.RestartPolicy : {}) };
  return {
    ...withoutUsual(own, usual),
    ...(tasks !== undefined && {
      Tasks: Array.isArray(tasks) ? tasks.map((task) => withoutUsualOfTask(task, own.Name, ofTasks)) : tasks,
    }),
  };
}

/**
 * Removes Nomad's defaults from a job.
 * @param written the program's job, if there is one; its type selects the defaults
 */
export function withoutDefaults(job: Json, written: Json = job): Json {
  if (!isObject(job)) return job;
  const { Type: type } = isObject(written) ? written : {};
  const policies = ownMember(POLICIES, typeof type === "string" ? type : "service") ?? {};
  const { TaskGroups: groups, ...own } = withoutUsualUpdate(job, policies.Update);
  const others = Array.isArray(groups)
    ? groups.map((group) => withoutUsualOfGroup(group, job, policies))
    : groups;
  return withoutOrdinary(
    { ...own, ...(others !== undefined && { TaskGroups: others }) },
    { blocks, entries, freeEntries, serverDefaults: ALWAYS },
  );
}

/** The inputs of an imported job. Adds the ID, which document comparison excludes, and omits a name that equals the ID. */
export function importedJob({ json, ...inputs }: Values, { jobId }: Address): Values {
  if (!isObject(json) || jobId === undefined) return { ...inputs, ...(json !== undefined && { json }) };
  const { Name: name, ...job } = json;
  return {
    ...inputs,
    json: { ID: jobId, ...(name !== jobId && name !== undefined && { Name: name }), ...job },
  };
}

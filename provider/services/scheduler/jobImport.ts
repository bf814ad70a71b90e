import { withoutOrdinary } from "../../core/compare/ordinary";
import type { Address, Values } from "../../core/language/object";
import { equalJson, isObject, type Json, ownMember } from "../../core/value/json";
import { jobDocument } from "./jobDocument";

const { blocks = [], entries = [], freeEntries = [] } = jobDocument;

const SECOND = 1_000_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Members = { readonly [member: string]: Json };
type Policy = Readonly<Record<string, Json>>;

/** What stands inside a job, and inside its groups. */
const INSIDE = new Set(["TaskGroups", "Tasks"]);
/** What a member says that nobody wrote. */
const ZERO: ReadonlySet<Json> = new Set<Json>([0, "", false, null]);

/** What the scheduler puts in where a job leaves it out (specification: Job (full)), whatever the job's type is. */
const ALWAYS: Policy = {
  Stop: false,
  Type: "service",
  Priority: 50,
  Datacenters: ["*"],
  NodePool: "default",
  "TaskGroups.*.Scaling.Type": "horizontal",
  "TaskGroups.*.Tasks.*.KillTimeout": 5 * SECOND,
  "TaskGroups.*.Tasks.*.Identity": { Name: "default", Audience: ["nomadproject.io"] },
};

const SERVICE_RESTART = { Attempts: 2, Interval: 30 * MINUTE, Delay: 15 * SECOND, Mode: "fail" };
const BATCH_RESTART = { Attempts: 3, Interval: 24 * HOUR, Delay: 15 * SECOND, Mode: "fail" };
const HEALTHY = {
  MaxParallel: 1,
  HealthCheck: "checks",
  MinHealthyTime: 10 * SECOND,
  HealthyDeadline: 5 * MINUTE,
};

/** The blocks that it puts in whole, whatever the job's type is. */
const BLOCKS: Readonly<Record<string, Policy>> = {
  EphemeralDisk: { SizeMB: 300 },
  LogConfig: { MaxFiles: 10, MaxFileSizeMB: 10 },
  Resources: { CPU: 100, MemoryMB: 300 },
};

/** The policies that it puts in, by the job's type. */
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
    Update: { ...HEALTHY, Stagger: 30 * SECOND, ProgressDeadline: 10 * MINUTE },
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
  system: { RestartPolicy: SERVICE_RESTART },
  sysbatch: { RestartPolicy: BATCH_RESTART },
};

/** The policies of a job, of its groups and of their tasks, that say no more than what is put in without them. */
function withoutPolicies(members: Members, policies: Readonly<Record<string, Policy>>): Members {
  const own = Object.entries(members).filter(([name, value]) => {
    const usual = ownMember(policies, name);
    // One that says anything else stays whole: a part of it would mean zero for all that it leaves out.
    return usual === undefined || !isObject(value) || !saysNoMore(value, usual);
  });
  return Object.fromEntries(
    own.map(([name, value]) => [
      name,
      INSIDE.has(name) && Array.isArray(value)
        ? value.map((part) => (isObject(part) ? withoutPolicies(part, policies) : part))
        : value,
    ]),
  );
}

function saysNoMore(policy: Members, usual: Policy): boolean {
  return Object.entries(policy).every(
    ([name, value]) => ZERO.has(value) || equalJson(value, ownMember(usual, name) ?? null),
  );
}

/** A group without what its scaling is told to scale, where that is the group itself, and without a count of one where nothing scales it. */
function withoutOwnScale(group: Json): Json {
  if (!isObject(group)) return group;
  const { Count: count, Scaling: scaling, ...own } = group;
  if (!isObject(scaling)) return count === 1 ? own : group;
  const { Target: target, ...rest } = scaling;
  return isObject(target) && target.Group === group.Name ? { ...group, Scaling: rest } : group;
}

/** A job without what the scheduler puts in by itself. */
export function withoutDefaults(job: Json): Json {
  if (!isObject(job)) return job;
  const policies = { ...BLOCKS, ...ownMember(POLICIES, typeof job.Type === "string" ? job.Type : "service") };
  const { TaskGroups: groups, ...own } = withoutPolicies(job, policies);
  const others = Array.isArray(groups) ? groups.map(withoutOwnScale) : groups;
  return withoutOrdinary(
    { ...own, ...(others !== undefined && { TaskGroups: others }) },
    { blocks, entries, freeEntries, serverDefaults: ALWAYS },
  );
}

/** The inputs of a job that was only read, with the id that no document is compared by, and without a name that is the id. */
export function importedJob({ json, ...inputs }: Values, { jobId }: Address): Values {
  if (!isObject(json) || jobId === undefined) return { ...inputs, ...(json !== undefined && { json }) };
  const { Name: name, ...job } = json;
  return {
    ...inputs,
    json: { ID: jobId, ...(name !== jobId && name !== undefined && { Name: name }), ...job },
  };
}

import type { GivenService } from "../shape/job";

/** The names that a service's name can contain. */
interface Owners {
  readonly job: string;
  readonly group: string;
  /** Undefined for a service of the group. */
  readonly task?: string;
}

/** Replaces the variables that Nomad interpolates in a service's name; other variables stay for the client. */
function interpolate(name: string, { job, group, task = "group" }: Owners): string {
  const values = new Map([
    ["JOB", job],
    ["TASKGROUP", group],
    ["TASK", task],
    ["BASE", `${job}-${group}-${task}`],
  ]);
  return name.replace(
    /\$\{([a-zA-Z0-9_\-.]+)\}/g,
    (whole, variable: string) => values.get(variable) ?? whole,
  );
}

/** Treats empty strings as absent; each check inherits from its service. */
export function canonicalService(service: GivenService, owners: Owners): GivenService {
  const { job, group, task } = owners;
  const defaultName = [job, group, ...(task === undefined ? [] : [task])].join("-");
  const onUpdate = service.OnUpdate || "require_healthy";
  return {
    ...service,
    Name: interpolate(service.Name || defaultName, owners),
    AddressMode: service.AddressMode || "auto",
    OnUpdate: onUpdate,
    Provider: service.Provider || "consul",
    Cluster: service.Cluster || "default",
    ...(service.Checks === undefined
      ? {}
      : { Checks: service.Checks.map((check) => canonicalCheck(check, service, onUpdate)) }),
  };
}

type Check = NonNullable<GivenService["Checks"]>[number];

function canonicalCheck(check: Check, service: GivenService, onUpdate: string): Check {
  const restart =
    service.CheckRestart === undefined && check.CheckRestart === undefined
      ? undefined
      : { ...service.CheckRestart, ...check.CheckRestart };
  return {
    ...check,
    OnUpdate: check.OnUpdate || onUpdate,
    SuccessBeforePassing: Math.max(0, check.SuccessBeforePassing ?? 0),
    FailuresBeforeCritical: Math.max(0, check.FailuresBeforeCritical ?? 0),
    FailuresBeforeWarning: Math.max(0, check.FailuresBeforeWarning ?? 0),
    ...(restart === undefined ? {} : { CheckRestart: restart }),
  };
}

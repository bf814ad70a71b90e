import type { GivenService } from "../shape/job";

/** Empty strings count as absent here; each check inherits from its service. */
export function canonicalService(service: GivenService, defaultName: string): GivenService {
  const onUpdate = service.OnUpdate || "require_healthy";
  return {
    ...service,
    Name: service.Name || defaultName,
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

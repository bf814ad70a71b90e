import type { GivenGroup, GivenJob } from "../shape/job";
import { MIGRATE, over, rescheduleDefaults, restartDefaults, UPDATE } from "./policies";
import { canonicalService } from "./service";
import { canonicalTask } from "./task";

/** Merges a group's policies over its job's, and both over the defaults of the job's type. */
export function canonicalGroup(group: GivenGroup, job: GivenJob, type: string): GivenGroup {
  const restart = over(restartDefaults(type), group.RestartPolicy);
  const update = inherit(job.Update, group.Update, isEmptyUpdate(job.Update));
  const migrate = inherit(job.Migrate, group.Migrate) ?? (type === "service" ? {} : undefined);
  const rescheduling = inherit(job.Reschedule, group.ReschedulePolicy) ?? rescheduleDefaults(type);
  const count = group.Count ?? group.Scaling?.Min ?? 1;
  return {
    ...group,
    Count: count,
    RestartPolicy: restart,
    ...(update === undefined ? {} : { Update: over(UPDATE, update) }),
    ...(migrate === undefined ? {} : { Migrate: over(MIGRATE, migrate) }),
    ...(rescheduling === undefined
      ? {}
      : { ReschedulePolicy: over(rescheduleDefaults(type) ?? {}, rescheduling) }),
    ...(group.Scaling === undefined ? {} : { Scaling: { Min: count, ...group.Scaling } }),
    ...(group.Services === undefined
      ? {}
      : {
          Services: group.Services.map((service) =>
            canonicalService(service, { job: job.Name ?? "", group: group.Name ?? "" }),
          ),
        }),
    Tasks: (group.Tasks ?? []).map((task) => canonicalTask(task, group, job, restart)),
  };
}

function inherit<Value extends object>(
  fromJob: Value | undefined,
  own: Value | undefined,
  jobsIsEmpty = false,
): Value | undefined {
  if (fromJob !== undefined && own !== undefined) return { ...fromJob, ...own };
  return own ?? (jobsIsEmpty ? undefined : fromJob);
}

/** A stored batch job has an update strategy of zeros, which its groups do not inherit. */
function isEmptyUpdate(update: GivenJob["Update"]): boolean {
  return update !== undefined && Object.values(update).every((value) => !value);
}

import { type GivenJob, type Job, job as jobShape } from "../shape/job";
import { canonicalGroup } from "./group";
import { over, UPDATE } from "./policies";

/**
 * The job with every default that Nomad fills in. Idempotent except for defaults that apply only to members missing from the
 * sent job.
 */
export function canonicalJob(sent: GivenJob, defaultPriority: number): Job {
  const type = sent.Type ?? "service";
  const name = sent.Name === undefined || sent.Name === "" ? (sent.ID ?? "") : sent.Name;
  const inherited = type === "service" || type === "system" ? UPDATE : undefined;
  const update = sent.Update === undefined ? inherited : over(UPDATE, sent.Update);
  const named = { ...sent, Type: type, Name: name, ...(update === undefined ? {} : { Update: update }) };
  return jobShape.fill({
    ...named,
    Priority: orDefault(sent.Priority, defaultPriority),
    Namespace: orDefault(sent.Namespace, "default"),
    NodePool: orDefault(sent.NodePool, "default"),
    Region: orDefault(sent.Region, "global"),
    Datacenters: sent.Datacenters?.length ? sent.Datacenters : ["*"],
    // The stored job has only these two members; the groups have the complete strategy.
    Update: { Stagger: update?.Stagger ?? 0, MaxParallel: update?.MaxParallel ?? 0 },
    ...(sent.Periodic === undefined
      ? {}
      : { Periodic: { ...sent.Periodic, TimeZone: orDefault(sent.Periodic.TimeZone, "UTC") } }),
    ...(sent.ParameterizedJob === undefined
      ? {}
      : {
          ParameterizedJob: {
            ...sent.ParameterizedJob,
            Payload: orDefault(sent.ParameterizedJob.Payload, "optional"),
          },
        }),
    TaskGroups: (sent.TaskGroups ?? []).map((group) => canonicalGroup(group, named, type)),
  });
}

/** The zero value counts as absent. */
function orDefault<Value extends string | number>(given: Value | undefined, fallback: Value): Value {
  return given === undefined || given === "" || given === 0 ? fallback : given;
}

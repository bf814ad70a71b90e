import type { Job, TaskGroup } from "../shape/job";

type Task = NonNullable<TaskGroup["Tasks"]>[number];
type Service = NonNullable<TaskGroup["Services"]>[number];

/**
 * The parts of a group whose change replaces the running allocations; Nomad changes all others in place (Nomad's own list;
 * its documentation does not have it).
 */
export function whatRuns(job: Job, group: TaskGroup): unknown {
  const { EphemeralDisk, Networks, Mesh, Volumes, Services, RestartPolicy, Tasks } = group;
  return {
    EphemeralDisk,
    Networks,
    Mesh,
    Volumes,
    connected: meshServices(Services),
    rendered: RestartPolicy?.RenderTemplates ?? false,
    tasks: Object.fromEntries((Tasks ?? []).map((task) => [task.Name, whatTaskRuns(job, group, task)])),
  };
}

function whatTaskRuns(job: Job, group: TaskGroup, task: Task): unknown {
  const { Driver, User, Config, Env, Artifacts, Secrets, Mesh, Templates, CSIPluginConfig } = task;
  const { VolumeMounts, Resources, Identity, Identities, LogConfig, RestartPolicy } = task;
  return {
    ...{ Driver, User, Config, Env, Artifacts, Secrets, Mesh, Templates, CSIPluginConfig },
    ...{ VolumeMounts, Resources, Identity, Identities },
    Meta: { ...job.Meta, ...group.Meta, ...task.Meta },
    isMute: LogConfig?.Disabled ?? false,
    rendered: RestartPolicy?.RenderTemplates ?? false,
  };
}

/**
 * Mesh services: a change of their name, port or proxy replaces the allocation, because the running proxies cannot change.
 */
function meshServices(services: readonly Service[] | null): unknown {
  const inMesh = (services ?? []).filter(({ Connect }) => Connect !== null);
  return inMesh.map(({ Name, PortLabel, Connect }) => ({ Name, PortLabel, Connect }));
}

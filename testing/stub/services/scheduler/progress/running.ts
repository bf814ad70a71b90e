import type { Job, TaskGroup } from "../shape/job";

type Task = NonNullable<TaskGroup["Tasks"]>[number];
type Service = NonNullable<TaskGroup["Services"]>[number];

/**
 * What of a group its running allocations cannot take on: where any of it differs they are replaced, and all else is
 * changed in place (the product's own list; its page says nothing of it).
 */
export function whatRuns(job: Job, group: TaskGroup): unknown {
  const { EphemeralDisk, Networks, Mesh, Volumes, Services, RestartPolicy, Tasks } = group;
  return {
    EphemeralDisk,
    Networks,
    Mesh,
    Volumes,
    connected: connected(Services),
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

/** Services in the mesh: their proxies listen where they did. */
function connected(services: readonly Service[] | null): unknown {
  const inMesh = (services ?? []).filter(({ Connect }) => Connect !== null);
  return inMesh.map(({ Name, PortLabel, Connect }) => ({ Name, PortLabel, Connect }));
}

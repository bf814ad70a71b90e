import type { GivenGroup, GivenJob, GivenTask } from "../shape/job";

/**
 * The job without the members that Nomad 2 reads and does not store. It copies the Consul namespace to the `consul` blocks
 * that have none, and the Vault namespace to such `vault` blocks. (Source: Nomad 2.0.6, `api/tasks.go`, and the conversion in
 * `command/agent/job_endpoint.go`.)
 */
export function withoutIgnored(job: GivenJob): GivenJob {
  const { MeshNamespace: namespace, ...rest } = job;
  return {
    ...rest,
    ...(job.TaskGroups && { TaskGroups: job.TaskGroups.map((group) => groupOf(group, job)) }),
  };

  function groupOf(group: GivenGroup, { SecretsNamespace: vault }: GivenJob): GivenGroup {
    const {
      StopAfterClientDisconnect: _stop,
      MaxClientDisconnect: _most,
      PreventRescheduleOnLost: _prevent,
      ...own
    } = group;
    return {
      ...own,
      ...(group.Mesh && { Mesh: placed(group.Mesh, namespace) }),
      ...(group.Tasks && { Tasks: group.Tasks.map((task) => taskOf(task, group, vault)) }),
    };
  }

  function taskOf(task: GivenTask, group: GivenGroup, vault: string | undefined): GivenTask {
    const { Policies: _policies, ...secrets } = task.Secrets ?? {};
    return {
      ...task,
      ...(task.Secrets && { Secrets: placed(secrets, vault) }),
      ...(task.Mesh && { Mesh: placed(task.Mesh, group.Mesh?.Namespace ?? namespace) }),
    };
  }
}

/** A block with the namespace of its surroundings, if it has none. */
function placed<Block extends { readonly Namespace?: string }>(block: Block, namespace = ""): Block {
  return block.Namespace === undefined && namespace !== "" ? { ...block, Namespace: namespace } : block;
}

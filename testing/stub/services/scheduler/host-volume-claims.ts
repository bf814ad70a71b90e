import { type Refusal, serverError } from "./errors";
import type { HostVolume } from "./objects";
import type { Allocation } from "./records";
import { keyOf, type World } from "./world";

/** The allocations on the volume's node that have not ended and whose group mounts the volume. */
export function claimsOf(world: World, { NodeID, Name }: HostVolume): readonly Allocation[] {
  return [...world.allocations.values()].filter((allocation) => {
    const isActive = allocation.ClientStatus === "pending" || allocation.ClientStatus === "running";
    return isActive && allocation.NodeID === NodeID && sourcesOf(world, allocation).includes(Name);
  });
}

/** The names of the host volumes that an allocation's group mounts. */
function sourcesOf(world: World, { Namespace, JobID, JobVersion, TaskGroup }: Allocation): readonly string[] {
  const versions = world.versions.get(keyOf(Namespace, JobID)) ?? [];
  const job = versions.find(({ Version }) => Version === JobVersion);
  const group = job?.TaskGroups?.find(({ Name }) => Name === TaskGroup);
  return Object.values(group?.Volumes ?? {}).flatMap(({ Type, Source }) => (Type === "host" ? [Source] : []));
}

/** The rejection of a delete. */
export const inUse = ({ ID }: HostVolume, claims: readonly Allocation[]): Refusal =>
  serverError(`volume ${ID} in use by allocations: [${claims.map((claim) => claim.ID).join(" ")}]`);

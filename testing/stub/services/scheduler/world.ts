import {
  type AclPolicy,
  type AclRole,
  type AclToken,
  type HostVolume,
  type Namespace,
  type NodePool,
  namespaceNamed,
  nodePoolNamed,
  type Variable,
} from "./objects";
import type { Due } from "./progress/due";
import type { Allocation, Deployment, Evaluation, ScalingEvent, Submission } from "./records";
import type { Outcome } from "./settings";
import type { Job } from "./shape/job";

/** The tables that an endpoint's index covers: the index is their latest write. */
export type Table =
  | "jobs"
  | "job_version"
  | "job_summary"
  | "job_submission"
  | "evals"
  | "allocs"
  | "deployment"
  | "scaling_event"
  | "namespaces"
  | "node_pools"
  | "acl_policy"
  | "acl_roles"
  | "acl_token"
  | "variables"
  | "host_volumes";

/** The complete state of one region. Records are immutable. */
export class World {
  constructor(
    readonly namespaces: Map<string, Namespace> = new Map([["default", namespaceNamed("default")]]),
    readonly nodePools: Map<string, NodePool> = new Map(
      ["default", "all"].map((name) => [name, nodePoolNamed(name)]),
    ),
    readonly aclPolicies: Map<string, AclPolicy> = new Map(),
    /** By ID. */
    readonly aclRoles: Map<string, AclRole> = new Map(),
    readonly jobs: Map<string, Job> = new Map(),
    /** By job, newest first. */
    readonly versions: Map<string, readonly Job[]> = new Map(),
    /** By job, newest first. */
    readonly submissions: Map<string, readonly Submission[]> = new Map(),
    readonly evaluations: Map<string, Evaluation> = new Map(),
    readonly allocations: Map<string, Allocation> = new Map(),
    readonly deployments: Map<string, Deployment> = new Map(),
    /** By namespace and path. */
    readonly variables: Map<string, Variable> = new Map(),
    /** By namespace and ID. */
    readonly volumes: Map<string, HostVolume> = new Map(),
    /** By job and group, newest first. */
    readonly scalingEvents: Map<string, Readonly<Record<string, readonly ScalingEvent[]>>> = new Map(),
    readonly outcomes: Outcome[] = [],
    /** The scheduled steps. */
    readonly due: Due[] = [],
    readonly tables: Map<Table, number> = new Map(),
    /** The index of the latest write; it starts at 1. */
    public index = 1,
    /** By accessor ID. */
    readonly aclTokens: Map<string, AclToken> = new Map(),
  ) {}

  copy(): World {
    return new World(
      new Map(this.namespaces),
      new Map(this.nodePools),
      new Map(this.aclPolicies),
      new Map(this.aclRoles),
      new Map(this.jobs),
      new Map(this.versions),
      new Map(this.submissions),
      new Map(this.evaluations),
      new Map(this.allocations),
      new Map(this.deployments),
      new Map(this.variables),
      new Map(this.volumes),
      new Map(this.scalingEvents),
      [...this.outcomes],
      [...this.due],
      new Map(this.tables),
      this.index,
      new Map(this.aclTokens),
    );
  }

  /** Starts a write to these tables and returns its index. */
  write(...tables: readonly Table[]): number {
    this.index += 1;
    this.touch(...tables);
    return this.index;
  }

  /** Adds these tables to the write of the current index. */
  touch(...tables: readonly Table[]): void {
    for (const table of tables) this.tables.set(table, this.index);
  }

  indexOf(...tables: readonly Table[]): number {
    return Math.max(1, ...tables.map((table) => this.tables.get(table) ?? 0));
  }

  allocationsOf(namespace: string, jobId: string): readonly Allocation[] {
    return belongingTo(this.allocations, namespace, jobId);
  }

  evaluationsOf(namespace: string, jobId: string): readonly Evaluation[] {
    return belongingTo(this.evaluations, namespace, jobId);
  }

  deploymentsOf(namespace: string, jobId: string): readonly Deployment[] {
    return belongingTo(this.deployments, namespace, jobId);
  }

  childrenOf({ Namespace, ID }: Job): readonly Job[] {
    return [...this.jobs.values()].filter((job) => job.Namespace === Namespace && job.ParentID === ID);
  }
}

/** The key of a job's records. A namespace contains no slash, so two jobs never share a key. */
export function keyOf(namespace: string, jobId: string): string {
  return `${namespace}/${jobId}`;
}

function belongingTo<Item extends { readonly Namespace: string; readonly JobID: string }>(
  records: ReadonlyMap<string, Item>,
  namespace: string,
  jobId: string,
): readonly Item[] {
  return [...records.values()].filter((item) => item.Namespace === namespace && item.JobID === jobId);
}

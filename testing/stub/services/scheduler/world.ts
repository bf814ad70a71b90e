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
  | "scaling_event";

/** The complete state of one region. Records are immutable. */
export class World {
  constructor(
    readonly namespaces: Set<string> = new Set(["default"]),
    readonly nodePools: Set<string> = new Set(["default", "all"]),
    readonly jobs: Map<string, Job> = new Map(),
    /** By job, newest first. */
    readonly versions: Map<string, readonly Job[]> = new Map(),
    /** By job, newest first. */
    readonly submissions: Map<string, readonly Submission[]> = new Map(),
    readonly evaluations: Map<string, Evaluation> = new Map(),
    readonly allocations: Map<string, Allocation> = new Map(),
    readonly deployments: Map<string, Deployment> = new Map(),
    /** By job and group, newest first. */
    readonly scalingEvents: Map<string, Readonly<Record<string, readonly ScalingEvent[]>>> = new Map(),
    readonly outcomes: Outcome[] = [],
    /** The scheduled steps. */
    readonly due: Due[] = [],
    readonly tables: Map<Table, number> = new Map(),
    /** The index of the latest write; it starts at 1. */
    public index = 1,
  ) {}

  copy(): World {
    return new World(
      new Set(this.namespaces),
      new Set(this.nodePools),
      new Map(this.jobs),
      new Map(this.versions),
      new Map(this.submissions),
      new Map(this.evaluations),
      new Map(this.allocations),
      new Map(this.deployments),
      new Map(this.scalingEvents),
      [...this.outcomes],
      [...this.due],
      new Map(this.tables),
      this.index,
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

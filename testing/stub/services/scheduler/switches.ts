/** What a test may switch, at the start or later; every one has the specification's default. */
export interface SchedulerSwitches {
  /** `real` uses the header and field names of the real product. */
  readonly dialect: "neutral" | "real";
  /** False: ACLs are not enabled, and every request may do everything. */
  readonly acl: boolean;
  /** The region of the agent that answers. */
  readonly region: string;
  /** The status of a job that does not validate: 400 by the specification, 500 by the real product. */
  readonly validationStatus: 400 | 500;
  /** What the service adds to a job on its own account. */
  readonly injects: readonly ("constraints" | "sidecars" | "identities")[];
  /** True: a check-and-set conflict's text comes with the prefix of a forwarded request. */
  readonly rpcPrefix: boolean;
  /** What a job's priority is when it names none. */
  readonly defaultPriority: number;
  /** Bytes of a submission (source, variables and flags) past which it is discarded. */
  readonly largestSubmission: number;
  /** `X-Sched-LastContact`, and `X-Sched-KnownLeader`. */
  readonly lastContactMilliseconds: number;
  readonly knownLeader: boolean;
  /** How many nodes there are: system jobs run once on each. */
  readonly nodes: number;
  /** How long an evaluation is pending, by the stub's clock. */
  readonly evaluationMilliseconds: number;
  /** How long a placed allocation is pending. */
  readonly startMilliseconds: number;
  /** How long a running allocation takes to be healthy; null: its group's `MinHealthyTime`. */
  readonly healthyMilliseconds: number | null;
  /** How long the allocation of a batch job runs. */
  readonly batchMilliseconds: number;
}

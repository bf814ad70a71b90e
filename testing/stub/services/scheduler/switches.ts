/** The switches that a test can set, at the start or later; each defaults to the specification's behavior. */
export interface SchedulerSwitches {
  /** `real` uses Nomad's header and field names. */
  readonly dialect: "neutral" | "real";
  /** False: ACLs are disabled, and every request may do everything. */
  readonly acl: boolean;
  /** The region of the agent that receives the requests. */
  readonly region: string;
  /** The status for an invalid job: 400 in the specification, 500 in Nomad. */
  readonly validationStatus: 400 | 500;
  /** The parts that the server adds to a job. */
  readonly injects: readonly ("constraints" | "sidecars" | "identities")[];
  /** True: the message of a check-and-set conflict has the prefix of a forwarded request. */
  readonly rpcPrefix: boolean;
  /** The priority of a job that has none. */
  readonly defaultPriority: number;
  /** The largest submission in bytes (source, variables and flags); the server discards larger ones. */
  readonly largestSubmission: number;
  /** `X-Sched-LastContact`, and `X-Sched-KnownLeader`. */
  readonly lastContactMilliseconds: number;
  readonly knownLeader: boolean;
  /** The number of nodes; system jobs run once on each. */
  readonly nodes: number;
  /** How long an evaluation stays pending, by the mock server's clock. */
  readonly evaluationMilliseconds: number;
  /** How long a placed allocation stays pending. */
  readonly startMilliseconds: number;
  /** How long a running allocation takes to become healthy; null means its group's `MinHealthyTime`. */
  readonly healthyMilliseconds: number | null;
  /** How long the allocation of a batch job runs. */
  readonly batchMilliseconds: number;
  /** True: the server has the features of Nomad Enterprise. */
  readonly enterprise: boolean;
  /** The time in milliseconds until a node reports a new or changed host volume as ready. Default: immediately. */
  readonly volumeMilliseconds: number;
}

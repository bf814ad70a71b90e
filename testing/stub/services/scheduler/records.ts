import type { JsonValue } from "../../json";

/** The section "Job submission". */
export interface Submission {
  readonly Source: string;
  readonly Format: string;
  readonly VariableFlags: Readonly<Record<string, string>> | null;
  readonly Variables: string;
  readonly Namespace: string;
  readonly JobID: string;
  readonly Version: number;
  readonly JobIndex: number;
}

export type EvaluationTrigger =
  | "job-register"
  | "job-deregister"
  | "job-scaling"
  | "periodic-job"
  | "deployment-watcher"
  | "queued-allocs"
  | "alloc-failure";

/** The section "Evaluation". */
export interface Evaluation {
  readonly ID: string;
  readonly Namespace: string;
  readonly Priority: number;
  readonly Type: string;
  readonly TriggeredBy: EvaluationTrigger;
  readonly JobID: string;
  readonly JobModifyIndex: number;
  readonly NodeID: string;
  readonly NodeModifyIndex: number;
  readonly DeploymentID: string;
  readonly Status: "pending" | "complete" | "blocked" | "canceled";
  readonly StatusDescription: string;
  readonly Wait: number;
  readonly NextEval: string;
  readonly PreviousEval: string;
  readonly BlockedEval: string;
  readonly FailedTGAllocs: Readonly<Record<string, JsonValue>> | null;
  readonly ClassEligibility: Readonly<Record<string, boolean>> | null;
  readonly EscapedComputedClass: boolean;
  readonly AnnotatePlan: boolean;
  readonly QueuedAllocations: Readonly<Record<string, number>> | null;
  readonly SnapshotIndex: number;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
  readonly CreateTime: number;
  readonly ModifyTime: number;
}

/** One event of a task, with the fields of the section "Allocation". */
export interface TaskEvent {
  readonly Type: string;
  readonly Time: number;
  readonly FailsTask: boolean;
  readonly RestartReason: string;
  readonly SetupError: string;
  readonly DriverError: string;
  readonly ExitCode: number;
  readonly Signal: number;
  readonly Message: string;
  readonly KillTimeout: number;
  readonly KillError: string;
  readonly KillReason: string;
  readonly StartDelay: number;
  readonly DownloadError: string;
  readonly ValidationError: string;
  readonly DiskLimit: number;
  readonly FailedSibling: string;
  readonly SecretsError: string;
  readonly TaskSignalReason: string;
  readonly TaskSignal: string;
  readonly DriverMessage: string;
}

export interface TaskState {
  readonly State: "pending" | "running" | "dead";
  readonly Failed: boolean;
  readonly StartedAt: string;
  readonly FinishedAt: string;
  readonly Events: readonly TaskEvent[];
}

/** One replacement of a failed allocation, with the fields of the section "Allocation". */
export interface RescheduleEvent {
  readonly PrevAllocID: string;
  readonly PrevNodeID: string;
  readonly RescheduleTime: number;
  readonly Delay: number;
}

/** The section "Allocation". */
export interface Allocation {
  readonly ID: string;
  readonly EvalID: string;
  readonly Name: string;
  readonly Namespace: string;
  readonly NodeID: string;
  readonly NodeName: string;
  readonly PreviousAllocation: string;
  readonly NextAllocation: string;
  readonly RescheduleTracker: { readonly Events: readonly RescheduleEvent[] } | null;
  readonly JobID: string;
  readonly JobType: string;
  readonly JobVersion: number;
  /** The create index of the job's registration; a purge and a new registration start a new one. */
  readonly JobCreateIndex: number;
  readonly TaskGroup: string;
  readonly DesiredStatus: "run" | "stop";
  readonly DesiredDescription: string;
  readonly ClientStatus: "pending" | "running" | "complete" | "failed";
  readonly ClientDescription: string;
  readonly TaskStates: Readonly<Record<string, TaskState>> | null;
  readonly DeploymentID: string;
  readonly DeploymentStatus: {
    readonly Healthy: boolean | null;
    readonly Timestamp: string;
    readonly Canary: boolean;
    readonly ModifyIndex: number;
  } | null;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
  readonly CreateTime: number;
  readonly ModifyTime: number;
}

export interface DeploymentGroup {
  readonly AutoPromote: boolean;
  readonly AutoRevert: boolean;
  readonly DesiredCanaries: number;
  readonly DesiredTotal: number;
  readonly PlacedAllocs: number;
  readonly PlacedCanaries: readonly string[] | null;
  readonly HealthyAllocs: number;
  readonly UnhealthyAllocs: number;
  readonly ProgressDeadline: number;
  readonly Promoted: boolean;
  readonly RequireProgressBy: string;
}

/** The section "Deployment". */
export interface Deployment {
  readonly ID: string;
  readonly Namespace: string;
  readonly JobID: string;
  readonly JobVersion: number;
  readonly JobModifyIndex: number;
  readonly JobSpecModifyIndex: number;
  readonly JobCreateIndex: number;
  readonly EvalPriority: number;
  readonly IsMultiregion: boolean;
  readonly Status: "running" | "paused" | "failed" | "successful" | "cancelled";
  readonly StatusDescription: string;
  readonly TaskGroups: Readonly<Record<string, DeploymentGroup>>;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
  readonly CreateTime: number;
  readonly ModifyTime: number;
}

export interface ScalingEvent {
  readonly Time: number;
  readonly Count: number | null;
  readonly PreviousCount: number;
  readonly Message: string;
  readonly Error: boolean;
  readonly Meta: Readonly<Record<string, unknown>> | null;
  readonly EvalID: string | null;
  readonly CreateIndex: number;
}

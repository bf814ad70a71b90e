import type { TaskEvent, TaskState } from "../records";

/** Go's zero time. */
export const NEVER = "0001-01-01T00:00:00Z";

/** The state of a started task, with the events that Nomad records. */
export function startedState(now: number): TaskState {
  return {
    State: "running",
    Failed: false,
    StartedAt: new Date(now).toISOString(),
    FinishedAt: NEVER,
    Events: ["Received", "Task Setup", "Driver", "Started"].map((type) => taskEvent(type, now)),
  };
}

export function endedState(state: TaskState, now: number, exitCode: number): TaskState {
  const event = { ...taskEvent("Terminated", now), ExitCode: exitCode };
  return {
    ...state,
    State: "dead",
    Failed: exitCode !== 0,
    FinishedAt: new Date(now).toISOString(),
    Events: [...state.Events, event, ...(exitCode === 0 ? [] : afterwards(now))],
  };
}

/** The events that Nomad records after a task failed; none of them contains the cause. */
function afterwards(now: number): TaskEvent[] {
  const given = 'Exceeded allowed attempts 2 in interval 30m0s and mode is "fail"';
  return [
    { ...taskEvent("Not Restarting", now), RestartReason: given, FailsTask: true },
    { ...taskEvent("Alloc Unhealthy", now), Message: "Unhealthy because of failed task" },
    { ...taskEvent("Killing", now), KillReason: "Sent interrupt. Waiting 5s before force killing" },
  ];
}

/** The fields of the section "Allocation"; most belong to events that the mock server never creates. */
function taskEvent(type: string, now: number): TaskEvent {
  return {
    Type: type,
    Time: now * 1_000_000,
    FailsTask: false,
    RestartReason: "",
    SetupError: "",
    DriverError: "",
    ExitCode: 0,
    Signal: 0,
    Message: "",
    KillTimeout: 0,
    KillError: "",
    KillReason: "",
    StartDelay: 0,
    DownloadError: "",
    ValidationError: "",
    DiskLimit: 0,
    FailedSibling: "",
    SecretsError: "",
    TaskSignalReason: "",
    TaskSignal: "",
    DriverMessage: "",
  };
}

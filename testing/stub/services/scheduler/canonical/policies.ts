import type { Given, Shape } from "../shape/field";
import type { GivenRestart, GivenUpdate } from "../shape/job";

const SECOND = 1_000_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The defaults, overwritten by the members of `given`. */
export function over<S extends Shape>(defaults: Given<S>, given: Given<S> | undefined): Given<S> {
  return { ...defaults, ...given };
}

export const UPDATE: GivenUpdate = {
  Stagger: 30 * SECOND,
  MaxParallel: 1,
  HealthCheck: "checks",
  MinHealthyTime: 10 * SECOND,
  HealthyDeadline: 5 * MINUTE,
  ProgressDeadline: 10 * MINUTE,
  AutoRevert: false,
  AutoPromote: false,
  Canary: 0,
};

export const MIGRATE = {
  MaxParallel: 1,
  HealthCheck: "checks",
  MinHealthyTime: 10 * SECOND,
  HealthyDeadline: 5 * MINUTE,
};

const SERVICE_RESTART: GivenRestart = {
  Attempts: 2,
  Interval: 30 * MINUTE,
  Delay: 15 * SECOND,
  Mode: "fail",
};
const BATCH_RESTART: GivenRestart = { Attempts: 3, Interval: 24 * HOUR, Delay: 15 * SECOND, Mode: "fail" };

export function restartDefaults(jobType: string): GivenRestart {
  return jobType === "service" || jobType === "system" ? SERVICE_RESTART : BATCH_RESTART;
}

const SERVICE_RESCHEDULE = {
  Delay: 30 * SECOND,
  DelayFunction: "exponential",
  MaxDelay: HOUR,
  Unlimited: true,
  Attempts: 0,
  Interval: 0,
};
const BATCH_RESCHEDULE = {
  Attempts: 1,
  Interval: 24 * HOUR,
  Delay: 5 * SECOND,
  DelayFunction: "constant",
  MaxDelay: 0,
  Unlimited: false,
};

/** System and sysbatch jobs have no reschedule defaults. */
export function rescheduleDefaults(jobType: string): typeof SERVICE_RESCHEDULE | undefined {
  if (jobType === "service") return SERVICE_RESCHEDULE;
  return jobType === "batch" ? BATCH_RESCHEDULE : undefined;
}

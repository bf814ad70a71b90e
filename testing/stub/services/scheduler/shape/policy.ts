import { anything, direct, flag, integer, map, optional, struct, text } from "./field";

/** The update strategy of a job or a group; its defaults depend on the job's type. */
export const update = struct({
  Stagger: integer(),
  MaxParallel: integer(),
  HealthCheck: text(),
  MinHealthyTime: integer(),
  HealthyDeadline: integer(),
  ProgressDeadline: integer(),
  AutoRevert: flag(),
  AutoPromote: flag(),
  Canary: integer(),
});

export const restart = struct({
  Attempts: integer(),
  Interval: integer(),
  Delay: integer(),
  Mode: text(),
  RenderTemplates: flag(),
});

export const reschedule = struct({
  Attempts: integer(),
  Interval: integer(),
  Delay: integer(),
  DelayFunction: text(),
  MaxDelay: integer(),
  Unlimited: flag(),
});

export const migrate = struct({
  MaxParallel: integer(),
  HealthCheck: text(),
  MinHealthyTime: integer(),
  HealthyDeadline: integer(),
});

export const disconnect = struct({
  LostAfter: integer(),
  StopOnClientAfter: optional(integer()),
  Replace: optional(flag(true)),
  Reconcile: text("best_score"),
});

export const scaling = struct({
  ID: direct(text()),
  Type: direct(text("horizontal")),
  Target: map(text()),
  Policy: map(anything()),
  Min: integer(),
  Max: integer(),
  Enabled: flag(true),
  CreateIndex: direct(integer()),
  ModifyIndex: direct(integer()),
});

import {
  direct,
  type Field,
  type FullOf,
  flag,
  type GivenOf,
  integer,
  list,
  map,
  optional,
  requestField,
  struct,
  text,
} from "./field";
import { network, volumeRequest } from "./network";
import { affinity, constraint, spread } from "./placement";
import { disconnect, migrate, reschedule, restart, scaling, update } from "./policy";
import { service } from "./service";
import { mesh, task } from "./task";

const groupShape = struct({
  Name: text(),
  Count: integer(1),
  Update: optional(update),
  Migrate: optional(migrate),
  Constraints: list(constraint),
  Scaling: optional(scaling),
  RestartPolicy: optional(restart),
  Disconnect: optional(disconnect),
  Tasks: list(task),
  EphemeralDisk: struct({ Sticky: flag(), SizeMB: integer(300), Migrate: flag() }),
  Meta: map(text()),
  ReschedulePolicy: optional(reschedule),
  Affinities: list(affinity),
  Spreads: list(spread),
  Networks: list(network),
  Mesh: optional(mesh),
  Services: list(service),
  Volumes: map(volumeRequest),
  ShutdownDelay: optional(integer()),
  MaxRunDuration: optional(integer()),
  StopAfterClientDisconnect: optional(integer()),
  MaxClientDisconnect: optional(integer()),
  PreventRescheduleOnLost: flag(),
});

/** An interface, because the compiler cannot write a declaration for a type as long as the complete job's. */
export interface GivenGroup extends GivenOf<typeof groupShape> {}
/** A group as stored and returned. */
export interface TaskGroup extends FullOf<typeof groupShape> {}
export const group: Field<TaskGroup, GivenGroup> = groupShape;

const periodic = struct({
  Enabled: flag(true),
  Spec: text(),
  Specs: list(text()),
  SpecType: text("cron"),
  ProhibitOverlap: flag(),
  TimeZone: text("UTC"),
});

const multiregion = struct({
  Strategy: optional(struct({ MaxParallel: integer(), OnFailure: text() })),
  Regions: list(
    struct({
      Name: direct(text()),
      Count: integer(),
      Datacenters: list(text()),
      NodePool: direct(text()),
      Meta: map(text()),
    }),
  ),
});

const parameterized = struct({
  Payload: direct(text("optional")),
  MetaRequired: list(text()),
  MetaOptional: list(text()),
});

const ui = struct({
  Description: direct(text()),
  Links: list(struct({ Label: direct(text()), Url: direct(text()) })),
});

/** The section "Job (full)", with the specification's names; `dialect.ts` maps them to Nomad's. */
export const job = struct({
  Stop: flag(),
  Region: text("global"),
  Namespace: text("default"),
  ID: text(),
  ParentID: text(),
  Name: text(),
  Type: text("service"),
  Priority: integer(),
  AllAtOnce: flag(),
  Datacenters: list(text()),
  NodePool: text("default"),
  Constraints: list(constraint),
  Affinities: list(affinity),
  Spreads: list(spread),
  TaskGroups: list(group),
  Update: update,
  Reschedule: requestField(reschedule),
  Migrate: requestField(migrate),
  Multiregion: optional(multiregion),
  Periodic: optional(periodic),
  ParameterizedJob: optional(parameterized),
  Dispatched: direct(flag()),
  DispatchIdempotencyToken: text(),
  Payload: optional(text()),
  Meta: map(text()),
  SecretsToken: text(),
  SecretsNamespace: text(),
  MeshToken: text(),
  MeshNamespace: text(),
  SchedTokenID: text(),
  Status: text(),
  StatusDescription: text(),
  Stable: flag(),
  Version: integer(),
  SubmitTime: integer(),
  CreateIndex: integer(),
  ModifyIndex: integer(),
  JobModifyIndex: integer(),
  UI: optional(ui),
  VersionTag: optional(struct({ Name: text(), Description: text(), TaggedTime: integer() })),
});

/** A job as sent. */
export type GivenJob = GivenOf<typeof job>;
export type GivenTask = GivenOf<typeof task>;
export type GivenService = GivenOf<typeof service>;
export type GivenUpdate = GivenOf<typeof update>;
export type GivenRestart = GivenOf<typeof restart>;

/** A job as stored and returned. Records are immutable. */
export type Job = ReturnType<(typeof job)["fill"]>;
export type Task = ReturnType<(typeof task)["fill"]>;
export type UpdateStrategy = ReturnType<(typeof update)["fill"]>;

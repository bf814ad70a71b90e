import { anything, flag, integer, list, map, optional, sentOnly, struct, text } from "./field";
import { volumeMount } from "./network";
import { logConfig, resources } from "./resources";

export const identity = struct({
  Name: text(),
  Audience: list(text()),
  ChangeMode: text(),
  ChangeSignal: text(),
  Env: flag(),
  File: flag(),
  Filepath: text(),
  ServiceName: text(),
  TTL: integer(),
  ExtraClaims: list(text()),
});

const checkRestart = struct({ Limit: integer(), Grace: integer(1_000_000_000), IgnoreWarnings: flag() });

const check = struct({
  Name: text(),
  Type: text(),
  Command: text(),
  Args: list(text()),
  Path: text(),
  Protocol: text(),
  PortLabel: text(),
  Expose: flag(),
  AddressMode: text(),
  // The job of a text has it; the stored one has not.
  Advertise: sentOnly(text()),
  Interval: integer(),
  Timeout: integer(),
  InitialStatus: text(),
  Notes: text(),
  TLSServerName: text(),
  TLSSkipVerify: flag(),
  Method: text(),
  Header: map(list(text())),
  CheckRestart: optional(checkRestart),
  GRPCService: text(),
  GRPCUseTLS: flag(),
  TaskName: text(),
  SuccessBeforePassing: integer(),
  FailuresBeforeCritical: integer(),
  FailuresBeforeWarning: integer(),
  Body: text(),
  OnUpdate: text(),
});

const sidecarTask = struct({
  Name: text(),
  Driver: text(),
  User: text(),
  Config: map(anything()),
  Env: map(text()),
  Resources: optional(resources),
  Meta: map(text()),
  KillTimeout: optional(integer()),
  LogConfig: optional(logConfig),
  ShutdownDelay: optional(integer()),
  KillSignal: text(),
  VolumeMounts: list(volumeMount),
  Identities: list(identity),
});

/** Proxies and gateways are kept as they were sent. */
const connect = struct({
  Native: flag(),
  SidecarService: optional(
    struct({
      Tags: list(text()),
      Port: text(),
      Proxy: anything(),
      DisableDefaultTCPCheck: flag(),
      Meta: map(text()),
    }),
  ),
  SidecarTask: optional(sidecarTask),
  Gateway: anything(),
});

export const service = struct({
  Name: text(),
  TaskName: text(),
  PortLabel: text(),
  AddressMode: text("auto"),
  Address: text(),
  EnableTagOverride: flag(),
  Tags: list(text()),
  CanaryTags: list(text()),
  Checks: list(check),
  CheckRestart: sentOnly(checkRestart),
  Connect: optional(connect),
  Meta: map(text()),
  CanaryMeta: map(text()),
  Weights: optional(struct({ Passing: integer(1), Warning: integer(1) })),
  TaggedAddresses: map(text()),
  Namespace: text(),
  OnUpdate: text("require_healthy"),
  Provider: text("consul"),
  Cluster: text("default"),
  Identity: optional(identity),
  Kind: text(),
});

import { connect } from "./connect";
import { direct, flag, integer, list, map, optional, requestField, struct, text } from "./field";
import { identity } from "./identity";

const checkRestart = struct({
  Limit: direct(integer()),
  Grace: integer(1_000_000_000),
  IgnoreWarnings: direct(flag()),
});

const check = struct({
  Name: direct(text()),
  Type: direct(text()),
  Command: direct(text()),
  Args: list(text()),
  Path: direct(text()),
  Protocol: direct(text()),
  PortLabel: direct(text()),
  Expose: direct(flag()),
  AddressMode: direct(text()),
  // A parsed job contains it, the stored job does not.
  Advertise: requestField(direct(text())),
  Interval: direct(integer()),
  Timeout: direct(integer()),
  InitialStatus: direct(text()),
  Notes: direct(text()),
  TLSServerName: direct(text()),
  TLSSkipVerify: direct(flag()),
  Method: direct(text()),
  Header: map(list(text())),
  CheckRestart: optional(checkRestart),
  GRPCService: direct(text()),
  GRPCUseTLS: direct(flag()),
  TaskName: direct(text()),
  SuccessBeforePassing: direct(integer()),
  FailuresBeforeCritical: direct(integer()),
  FailuresBeforeWarning: direct(integer()),
  Body: direct(text()),
  OnUpdate: direct(text()),
});

export const service = struct({
  Name: direct(text()),
  TaskName: direct(text()),
  PortLabel: direct(text()),
  AddressMode: direct(text("auto")),
  Address: direct(text()),
  EnableTagOverride: direct(flag()),
  Tags: list(text()),
  CanaryTags: list(text()),
  Checks: list(check),
  CheckRestart: requestField(checkRestart),
  Connect: optional(connect),
  Meta: map(text()),
  CanaryMeta: map(text()),
  Weights: optional(struct({ Passing: direct(integer(1)), Warning: direct(integer(1)) })),
  TaggedAddresses: map(text()),
  Namespace: text(),
  OnUpdate: direct(text("require_healthy")),
  Provider: direct(text("consul")),
  Cluster: direct(text("default")),
  Identity: optional(identity),
  Kind: direct(text()),
});

import type { Program } from "./servers/server";

interface KnownDifference {
  readonly program: Program;
  /** Words of the test's full name. */
  readonly promise: string;
  readonly because: string;
}

/** Promises that do not hold on a real server yet. Each must fail: what holds is taken off. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    program: "bao",
    promise: "the procedure secrets:RecoveryKeyRekey that the service refuses",
    because: "a rekey asks for no token: whoever has the shares may do it",
  },
  {
    program: "bao",
    promise: "the procedure secrets:RecoveryKeyVerification that the service refuses",
    because: "a rekey asks for no token: whoever has the shares may do it",
  },
  ...[
    "secrets:LoginEnforcement is quiet after a create, and after the refresh",
    "the preview of a secrets:LoginEnforcement sends nothing, and lets everything through",
    "the preview of a secrets:LoginEnforcement names every property that does not exist",
    "an enforcement takes every id that the service gives its methods",
  ].map(
    (promise): KnownDifference => ({
      program: "bao",
      promise,
      because: "ids of methods are checked as UUIDs with version bits, which the service's random ids lack",
    }),
  ),
  ...[
    "workspaces:Workspace is quiet for the program that a read by its id yields",
    "what others do to a workspaces:Workspace shows after a refresh",
    "what others do to a workspaces:Workspace between our read and our write",
    "what others do to a workspaces:Workspace before a delete",
    "two programs and a person at a console, on one workspaces:Workspace overwrite nothing",
  ].map(
    (promise): KnownDifference => ({
      program: "otfd",
      promise,
      because: "a read by the id alone asks for key-value tags, which this server has not",
    }),
  ),
];

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

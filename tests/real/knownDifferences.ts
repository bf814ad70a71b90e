import type { Program } from "./servers/server";

interface KnownDifference {
  readonly program: Program;
  /** A part of the full name of the test. */
  readonly testName: string;
  readonly reason: string;
}

/** Tests that fail on a real server. Each of them must fail: an entry whose test passes is an error. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    program: "bao",
    testName: "the procedure secrets:RecoveryKeyRekey reports the HTTP status and stores no ID",
    reason: "a rekey needs no token: anyone with the shares may do it",
  },
  {
    program: "bao",
    testName: "the procedure secrets:RecoveryKeyVerification reports the HTTP status and stores no ID",
    reason: "a rekey needs no token: anyone with the shares may do it",
  },
  ...[
    "another user's change to a workspaces:AgentPool between our read and our write",
    "another user's change to a workspaces:AgentPool is overwritten and printed",
  ].map(
    (testName): KnownDifference => ({
      program: "otfd",
      testName,
      reason: "the only property of its programs on this server has two values, so no conflict is possible",
    }),
  ),
];

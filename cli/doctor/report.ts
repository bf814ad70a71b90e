import type { Status } from "../status";

/** The result of one check, as text for people. It contains no token. */
export interface Finding {
  /** For example `secrets`, `secrets of the connection "eu"`, `this machine`. */
  readonly about: string;
  /** The checked aspect, for example `address` or `token`. */
  readonly what: string;
  readonly status: Status;
  readonly message: string;
  /** The remedy in one sentence. */
  readonly advice?: string;
  /** A command that fixes the problem or shows its cause; every FAIL has one. */
  readonly command?: string;
}

/** All results of a run. */
export interface Diagnosis {
  /** When the checks ran, in ISO 8601. */
  readonly at: string;
  readonly findings: readonly Finding[];
}

/** The exit code for a diagnosis: 2 if any check is FAIL. */
export const doctorExitCode = ({ findings }: Diagnosis): number =>
  findings.some(({ status }) => status === "FAIL") ? 2 : 0;

/** A result without its subject. */
export type Found = Omit<Finding, "about" | "what">;

export const ok = (message: string): Found => ({ status: "OK", message });
export const skip = (message: string): Found => ({ status: "SKIP", message });
export const warn = (message: string, advice?: string): Found => ({
  status: "WARN",
  message,
  ...(advice !== undefined && { advice }),
});
export const fail = (message: string, command: string, advice?: string): Found => ({
  status: "FAIL",
  message,
  command,
  ...(advice !== undefined && { advice }),
});

export type Status = "OK" | "WARN" | "FAIL" | "SKIP";

/** The result of one check, in words for people. It contains no token. */
export interface Finding {
  /** `secrets`, `secrets of the connection "eu"`, `this machine`. */
  readonly about: string;
  /** What was checked: `address`, `token`. */
  readonly what: string;
  /** `WARN` works and may surprise; `FAIL` must be fixed; `SKIP` could not be checked. */
  readonly status: Status;
  readonly message: string;
  /** What to do, in a sentence. */
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

/** The exit code of a process that made this: 2 for any FAIL. */
export const exitCodeOf = ({ findings }: Diagnosis): number =>
  findings.some(({ status }) => status === "FAIL") ? 2 : 0;

/** A result without the name of what was checked. */
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

/** What was found of one thing, in words for people. No token stands in it. */
export interface Finding {
  /** `secrets`, `secrets of the connection "eu"`, `this machine`. */
  readonly about: string;
  /** What was looked at: `address`, `token`. */
  readonly what: string;
  /** `not told` where nobody says it, which is no failure. */
  readonly verdict: "ok" | "to do" | "not told";
  readonly says: string;
  /** What to do next, where there is something. */
  readonly advice?: string;
}

/** What a doctor has found. */
export interface Diagnosis {
  /** When it was looked at, in ISO 8601. */
  readonly at: string;
  readonly findings: readonly Finding[];
}

/** The status of a process that made this: 2 where there is something to do. */
export const exitCodeOf = ({ findings }: Diagnosis): number =>
  findings.some(({ verdict }) => verdict === "to do") ? 2 : 0;

/** A finding of a thing that is known. */
export type Found = Omit<Finding, "about" | "what">;

export const ok = (says: string): Found => ({ verdict: "ok", says });
export const notTold = (says: string): Found => ({ verdict: "not told", says });
export const toDo = (says: string, advice?: string): Found => ({
  verdict: "to do",
  says,
  ...(advice !== undefined && advice !== "" && { advice }),
});

import type { LookOptions } from "../look";
import type { DriftReport } from "../report";

/** What is watched, and how. */
export interface WatchOptions extends LookOptions {
  /** Seconds between two looks at what no service tells of by itself; 30 where nothing is said. */
  readonly interval?: number;
  /** Takes out of a report what is no drift: ignore rules, a baseline. */
  readonly passing?: (report: DriftReport) => DriftReport;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

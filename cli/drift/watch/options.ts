import type { LookOptions } from "../look";
import type { DriftReport } from "../report";

/** The input and the options of a watch. */
export interface WatchOptions extends LookOptions {
  /** Seconds between two checks of resources without blocking queries. Default: 30. */
  readonly interval?: number;
  /** Marks ignored differences in a report: ignore rules, a baseline. */
  readonly passing?: (report: DriftReport) => DriftReport;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

export { UnreadableState } from "../stacks/deployment";
export { type LookOptions, look as drift } from "./look";
export type { Drifted, DriftReport, ResourceReport } from "./report";

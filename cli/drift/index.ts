export { UnreadableState } from "../state/deployment";
export {
  baselineIn,
  type IgnoreRule,
  ignoreRule,
  ignoreRules,
  isChosen,
  type Named,
  UnreadableChoice,
  withBaseline,
  withIgnored,
} from "./choice";
export { type LookOptions, look as drift } from "./look";
export {
  type DriftReport,
  exitCodeOf,
  type MovedField,
  type PassedOver,
  type ResourceReport,
  summaryOf,
  type Word,
} from "./report";
export type { WatchEvent } from "./watch/events";
export type { WatchOptions } from "./watch/options";
export { watch } from "./watch/watch";
export { junitOf } from "./writers/junit";
export { markdownOf } from "./writers/markdown";
export { htmlOf } from "./writers/page/html";

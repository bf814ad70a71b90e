import { type EngineEvent, isInternal } from "../events";
import { isShownMap, type Shown, type ShownMap } from "./values";

/** A step in an event. */
export type Step = NonNullable<EngineEvent["resourcePreEvent"]>["metadata"];

/** The state before or after a step. */
export type StepState = NonNullable<Step["old"]>;

/** A message in an event. */
export type Diagnostic = NonNullable<EngineEvent["diagnosticEvent"]>;

/** The properties of a state; empty without a state. */
export function properties(state: Step["old"] | null, kind: "inputs" | "outputs"): ShownMap {
  // Events are JSON, with secrets and unknown values in their written form.
  const values = state?.[kind] as Shown | undefined;
  return isShownMap(values) ? values : {};
}

export const hasOutputs = (state: Step["old"] | null): boolean =>
  Object.keys(properties(state, "outputs")).length > 0;

/** True for internal steps, which are in the event log but not displayed. */
export function isInternalStep(event: EngineEvent): boolean {
  const { metadata } = event.resourcePreEvent ?? event.resOutputsEvent ?? event.resOpFailedEvent ?? {};
  return metadata !== undefined && isInternal(metadata);
}

/** A message with its prefix; debug messages are shown only on request. */
export function messageOf({ severity, prefix = "", message }: Diagnostic, debug: boolean): string {
  return severity === "debug" && !debug ? "" : `${prefix}${message}`;
}

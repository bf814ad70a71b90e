import { type EngineEvent, isInternal } from "../events";
import { isShownMap, type Shown, type ShownMap } from "./values";

/** A step as an event tells of it. */
export type Step = NonNullable<EngineEvent["resourcePreEvent"]>["metadata"];

/** The state before or after a step. */
export type StepState = NonNullable<Step["old"]>;

/** A message as an event tells of it. */
export type Diagnostic = NonNullable<EngineEvent["diagnosticEvent"]>;

/** The properties of a state; none where there is no state. */
export function properties(state: Step["old"] | null, kind: "inputs" | "outputs"): ShownMap {
  // Events are JSON, with secrets and unknown values in their written form.
  const values = state?.[kind] as Shown | undefined;
  return isShownMap(values) ? values : {};
}

export const hasOutputs = (state: Step["old"] | null): boolean =>
  Object.keys(properties(state, "outputs")).length > 0;

/** Steps that the engine takes for itself are in the event log and are not shown. */
export function isInternalStep(event: EngineEvent): boolean {
  const { metadata } = event.resourcePreEvent ?? event.resOutputsEvent ?? event.resOpFailedEvent ?? {};
  return metadata !== undefined && isInternal(metadata);
}

/** A message with its prefix; debug messages are shown only where they were asked for. */
export function messageOf({ severity, prefix = "", message }: Diagnostic, debug: boolean): string {
  return severity === "debug" && !debug ? "" : `${prefix}${message}`;
}

import type { EngineEvent } from "../events";
import type { Step, StepState } from "./events";

/**
 * Masks strings in the messages and property values of an event. A secret from the configuration can appear in a message of
 * the program or of a provider, where it has no mark. Marked values are masked already.
 */
export function masker(secrets: readonly string[]): (event: EngineEvent) => EngineEvent {
  const texts = secrets.filter(isTelling).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  if (texts.length === 0) return (event) => event;
  // Longest first: a secret that is a prefix of a longer secret must not leave the rest of it visible.
  const alternatives = texts.sort((left, right) => right.length - left.length).map(literally);
  const expression = new RegExp(alternatives.join("|"), "g");
  const mask = (text: string) => text.replace(expression, "[secret]");
  const maskState = (state: StepState): StepState => ({
    ...state,
    inputs: maskValues(state.inputs, mask),
    outputs: maskValues(state.outputs, mask),
  });
  const maskStep = <T extends { readonly metadata: Step }>(payload: T): T => ({
    ...payload,
    metadata: {
      ...payload.metadata,
      ...(payload.metadata.old && { old: maskState(payload.metadata.old) }),
      ...(payload.metadata.new && { new: maskState(payload.metadata.new) }),
    },
  });
  return (event) => {
    const { diagnosticEvent, stdoutEvent, resourcePreEvent, resOutputsEvent, resOpFailedEvent } = event;
    return {
      ...event,
      ...(diagnosticEvent && {
        diagnosticEvent: { ...diagnosticEvent, message: mask(diagnosticEvent.message) },
      }),
      ...(stdoutEvent && { stdoutEvent: { ...stdoutEvent, message: mask(stdoutEvent.message) } }),
      ...(resourcePreEvent && { resourcePreEvent: maskStep(resourcePreEvent) }),
      ...(resOutputsEvent && { resOutputsEvent: maskStep(resOutputsEvent) }),
      ...(resOpFailedEvent && { resOpFailedEvent: maskStep(resOpFailedEvent) }),
    };
  };
}

/** Strings that are too short or too common to be masked everywhere; the CLI does not mask them either. */
const isTelling = (secret: string): boolean => secret.length >= 3 && !/^(true|false)$/i.test(secret);

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Masks every string in the values of a map, at any depth; names stay. */
function maskValues(
  values: Record<string, unknown>,
  mask: (text: string) => string,
): Record<string, unknown> {
  const maskValue = (value: unknown): unknown => {
    if (typeof value === "string") return mask(value);
    if (Array.isArray(value)) return value.map(maskValue);
    return typeof value === "object" && value !== null
      ? maskValues(Object.fromEntries(Object.entries(value)), mask)
      : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskValue(value)]));
}

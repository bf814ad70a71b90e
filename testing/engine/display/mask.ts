import type { EngineEvent } from "../events";
import type { Step, StepState } from "./events";

/**
 * Masks texts in what an event carries of messages and property values: what is secret in the configuration can
 * come back in a message of the program or of a provider, which knows nothing of marks. Values that are marked are
 * masked already.
 */
export function masker(secrets: readonly string[]): (event: EngineEvent) => EngineEvent {
  const texts = secrets.filter(isTelling).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  if (texts.length === 0) return (event) => event;
  // The longest first, so that a secret that is the beginning of another does not leave the rest of that.
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

/** Texts too short, or too common, to be taken for a secret wherever they stand; the CLI leaves them too. */
const isTelling = (secret: string): boolean => secret.length >= 3 && !/^(true|false)$/i.test(secret);

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Every text in the values of a map, at any depth; the names stay. */
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

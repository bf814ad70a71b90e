import type { Redactor } from "../../../../packages/redact";
import { withoutStack } from "../../http/errors";
import type { Subject } from "../../language/stepInput";
import { PartialError } from "../../state/errors";
import { PROVIDER } from "../engineValues";
import { subjectText } from "../notices";

/** The data that the host needs for a failed step, in addition to the error. */
export interface Failed {
  readonly redactor: Redactor;
  /** The provider's own text, which the host does not restore in the properties of an error. */
  readonly provider: unknown;
  readonly about: Subject;
  /** The outputs of a partially created resource, for the engine. */
  outgoing(outputs: PartialError["outputs"]): Record<string, unknown>;
}

/** An error for the host: without a stack, which the host would print, and without secrets. */
export function outgoingError(error: unknown, { redactor, provider, about, outgoing }: Failed): Error {
  const subject = subjectText(about);
  if (error instanceof PartialError) {
    const shown = errorPrintedOnce(redactor.mask(error.message), subject);
    const properties = { ...outgoing(error.outputs), [PROVIDER]: provider };
    return Object.assign(shown, { id: error.id, properties, reasons: [shown.message] });
  }
  return errorPrintedOnce(redactor.mask(withoutStack(error).message), subject);
}

/**
 * An error whose message the engine prints. After a check, a diff, a read or a delete, the host also prints the error itself
 * and its stack. The error's own text is therefore the resource's name, and its stack refers to the engine's message.
 */
export function errorPrintedOnce(message: string, subject: string): Error {
  const error = new Error(message);
  error.stack = "failed; the engine reports the reason";
  return Object.defineProperty(error, "toString", { value: () => subject, enumerable: false });
}

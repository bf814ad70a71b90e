import { PartialError } from "../../provider/core/state/errors";

/** All that an error says, in every way that a host may print it; what it carries for the state is not said. */
export function everythingSaid(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack, cause } = error;
  const own = error instanceof PartialError ? {} : Object.fromEntries(Object.entries(error));
  const causeStack = cause instanceof Error ? cause.stack : "";
  return [message, String(error), JSON.stringify(own), stack, String(cause), causeStack].join("\n");
}

/**
 * The runs of 12 characters of a secret that stand in a text. White space, the armour of a PEM and, in a second reading,
 * backslashes count for nothing: a message may have put them in or taken them out.
 */
export function runsOf(secret: string, text: string): string[] {
  return [/-----[A-Z ]+-----|\s+/g, /-----[A-Z ]+-----|[\s\\]+/g].flatMap((nothing) => {
    const [needle = "", haystack = ""] = [secret, text].map((one) => one.replace(nothing, ""));
    return slicesOf(needle).filter((run) => haystack.includes(run));
  });
}

function slicesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 11) }, (_, at) => text.slice(at, at + 12));
}

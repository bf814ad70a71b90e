import { PartialError } from "../../provider/core/state/errors";

/** Everything that a host may print of an error. The data that a PartialError contains for the state is never printed. */
export function everythingPrinted(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack, cause } = error;
  const own = error instanceof PartialError ? {} : Object.fromEntries(Object.entries(error));
  const causeStack = cause instanceof Error ? cause.stack : "";
  return [message, String(error), JSON.stringify(own), stack, String(cause), causeStack].join("\n");
}

/**
 * The substrings of 12 characters of a secret that a text contains. White space, PEM armor and, in a second search,
 * backslashes are ignored, because a message may have added or removed them.
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

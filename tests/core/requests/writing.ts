import type { Route } from "../../../provider/core/language/route";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import type { Sighting } from "../../../provider/core/requests/probe";
import { send } from "../../../provider/core/requests/send";
import { writeOnce } from "../../../provider/core/requests/single";
import { type Asking, answered, unanswered } from "./asking";

/** Makes a berth. */
export const POST: Route = { method: "POST", path: "/quays" };
/** What a login page answers. */
export const HTML = "<!doctype html><html><body>Sign in</body></html>";
/** The no of the service itself. */
export const OWN_NO = answered(500, { error: "no berth is free" });

/** Why a write is unclear. */
export const lostConnection = () => unanswered("unclearAnswer", "lost its connection");
export const timedOut = () => unanswered("unclearAnswer", "was not answered within 1 s", "inFlight");
export const cancelled = () => unanswered("cancelled", "was cancelled", "inFlight");

/** A look that shows something else each time; the last one again and again. Errors are thrown. */
export function looking(asked: Asking, ...sights: readonly (Sighting<string> | Error)[]) {
  const at: number[] = [];
  const contexts: RequestContext[] = [];
  const start = asked.runtime.now();
  const look = async (context: RequestContext): Promise<Sighting<string>> => {
    at.push((asked.runtime.now() - start) / 1000);
    contexts.push(context);
    const sight = sights[Math.min(at.length, sights.length) - 1];
    if (sight === undefined || sight instanceof Error)
      throw sight ?? new Error("it was not expected to look");
    return sight;
  };
  return { at, contexts, look };
}

/** What a look shows. */
export const THERE: Sighting<string> = { isApplied: true, found: "our quay" };
export const ABSENT: Sighting<string> = { isApplied: false };

/** The outcome of a write that a probe does not show. */
export const NOT_APPLIED = { kind: "unknown", probed: { isApplied: false } };

/** Sends a write whose look, if any, is given. */
export function write(
  { context }: Asking,
  look?: (context: RequestContext) => Promise<Sighting<string>>,
  route: Route = POST,
  { isUnsafeIfLate } = { isUnsafeIfLate: false },
) {
  return writeOnce<RequestContext, string>(context, {
    route,
    address: {},
    send: (own) => send(own, route, {}, { nature: "write" }),
    ...(look && { probe: look }),
    isUnsafeIfLate,
  });
}

/** What is not done: its outcome, which a test expects to be neither done nor seen. */
export async function doubtful(outcome: ReturnType<typeof write>) {
  const found = await outcome;
  if (found.kind !== "unknown") throw new Error(`it was told as ${found.kind}`);
  return found;
}

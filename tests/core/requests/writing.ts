import type { Route } from "../../../provider/core/language/route";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import type { ProbeRead } from "../../../provider/core/requests/probe";
import { send } from "../../../provider/core/requests/send";
import { writeOnce } from "../../../provider/core/requests/single";
import { answered, type Caller, unanswered } from "./caller";

/** Creates a berth. */
export const POST: Route = { method: "POST", path: "/quays" };
/** The body of a login page. */
export const HTML = "<!doctype html><html><body>Sign in</body></html>";
/** An error of the service itself, as opposed to a gateway. */
export const OWN_ERROR = answered(500, { error: "no berth is free" });

/** Failures that leave the outcome of a write unknown. */
export const lostConnection = () => unanswered("unclearAnswer", "lost its connection");
export const timedOut = () => unanswered("unclearAnswer", "got no response within 1 s", "inFlight");
export const canceled = () => unanswered("canceled", "was canceled", "inFlight");

/** A probe that returns or throws one result after the other, and then repeats the last one. */
export function probing(asked: Caller, ...reads: readonly (ProbeRead<string> | Error)[]) {
  const at: number[] = [];
  const contexts: RequestContext[] = [];
  const start = asked.runtime.now();
  const probe = async (context: RequestContext): Promise<ProbeRead<string>> => {
    at.push((asked.runtime.now() - start) / 1000);
    contexts.push(context);
    const read = reads[Math.min(at.length, reads.length) - 1];
    if (read === undefined || read instanceof Error) throw read ?? new Error("no probe was expected");
    return read;
  };
  return { at, contexts, probe };
}

/** Results of a probe. */
export const THERE: ProbeRead<string> = { isApplied: true, found: "our quay" };
export const ABSENT: ProbeRead<string> = { isApplied: false };

/** The outcome of a write that a probe does not show. */
export const NOT_APPLIED = { kind: "unknown", verdict: "notShown" };

/** Sends a write with an optional probe. */
export function write(
  { context }: Caller,
  probe?: (context: RequestContext) => Promise<ProbeRead<string>>,
  route: Route = POST,
  { isUnsafeIfLate } = { isUnsafeIfLate: false },
) {
  return writeOnce<RequestContext, string>(context, {
    route,
    address: {},
    send: (own) => send(own, route, {}, { nature: "write" }),
    ...(probe && { probe }),
    isUnsafeIfLate,
  });
}

/** Returns the outcome of a write, which must be unknown. */
export async function unknownOutcome(outcome: ReturnType<typeof write>) {
  const found = await outcome;
  if (found.kind !== "unknown") throw new Error(`the outcome was ${found.kind}`);
  return found;
}

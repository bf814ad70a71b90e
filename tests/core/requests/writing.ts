import type { Route } from "../../../provider/core/language/route";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import { send } from "../../../provider/core/requests/send";
import { type LookResult, sendOnceAndLook } from "../../../provider/core/requests/sendOnce";
import { type Asking, answered, unanswered } from "./asking";

/** Makes a berth. */
export const POST: Route = { method: "POST", path: "/quays" };
/** What a login page answers. */
export const HTML = "<!doctype html><html><body>Sign in</body></html>";
/** The no of the service itself. */
export const OWN_NO = answered(500, { error: "no berth is free" });

/** Why a write is unclear. */
export const lostConnection = () => unanswered("unclearAnswer", "lost its connection");
export const timedOut = () =>
  unanswered("unclearAnswer", "was not answered within 1 s", { mayStillHappen: true });
export const cancelled = () => unanswered("cancelled", "was cancelled", { mayStillHappen: true });

/** A look that shows something else each time; the last one again and again. Errors are thrown. */
export function looking(asked: Asking, ...sights: readonly (LookResult<string> | Error)[]) {
  const at: number[] = [];
  const contexts: RequestContext[] = [];
  const start = asked.runtime.now();
  const look = async (context: RequestContext): Promise<LookResult<string>> => {
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
export const THERE: LookResult<string> = { happened: true, found: "our quay" };
export const ABSENT: LookResult<string> = { happened: false };

/** Sends a write whose look, if any, is given. */
export function write(
  { context }: Asking,
  look?: (context: RequestContext) => Promise<LookResult<string>>,
  route: Route = POST,
  { harmsLate } = { harmsLate: false },
) {
  return sendOnceAndLook<RequestContext, string>(context, {
    route,
    address: {},
    send: (own) => send(own, route, {}, { nature: "write" }),
    ...(look && { look }),
    harmsLate,
  });
}

/** What is not done: its outcome, which a test expects to be neither done nor seen. */
export async function doubtful(outcome: ReturnType<typeof write>) {
  const found = await outcome;
  if (found.kind === "done" || found.kind === "means" || found.kind === "shown")
    throw new Error(`it was told as ${found.kind}`);
  return found;
}

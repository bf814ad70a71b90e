import type { HttpAnswer } from "../http/request";
import { fieldsOf } from "../language/fields";
import type { Definition } from "../language/resource";
import type { RequestContext } from "../language/stepInput";
import type { Body } from "../language/writes";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";

/**
 * The members of an object that this package does not declare, as last read. An update sends them back, because the endpoint
 * may reset members that it does not receive. A patch endpoint preserves them, and an endpoint with an envelope accepts only
 * the members of its envelope.
 */
export function sentBackIn(definition: Definition, current: Body): Body {
  const { sends, envelope } = definition.life.writes;
  if (sends === "patch" || envelope !== undefined) return {};
  const known = knownMembers(definition);
  return Object.fromEntries(
    Object.entries(current).filter(([member, value]) => value !== null && !known.has(member)),
  );
}

/** Members that the definition declares or excludes from being sent back. */
const knownMembers = memoByObject(
  (definition: Definition) =>
    new Set([
      ...fieldsOf(definition).map(({ wire }) => wire),
      ...(definition.life.writes.neverSentBack ?? []),
    ]),
);

/**
 * Sends a write with the undeclared members. If the server rejects some of these by name, sends the write again without
 * them. Their values are redacted from then on, because any of them may be a secret.
 */
export async function sendingBack(
  context: RequestContext,
  { written, sentBack }: { readonly written: Body; readonly sentBack: Body },
  sendWith: (sentBack: Body) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const members = Object.keys(sentBack);
  if (members.length === 0) return sendWith(sentBack);
  context.redactor.add(() => textsAndNumbersIn(sentBack));
  const answer = await sendWith(sentBack);
  if (!isRefusal(answer, context)) return answer;
  // If the rejection also names a member that the program writes, that member may be the cause.
  const refused = namedBy(answer, Object.keys(written)).length > 0 ? [] : namedBy(answer, members);
  if (refused.length === 0) {
    context.log("info", `the refused update also sent back ${members.join(", ")} as read`);
    return answer;
  }
  context.log(
    "info",
    `the server refused to take back ${refused.join(", ")} as read; the update is sent again without, and the server may reset what it leaves out`,
  );
  await context.beforeAgain?.();
  const rest = Object.entries(sentBack).filter(([name]) => !refused.includes(name));
  return sendingBack(context, { written, sentBack: Object.fromEntries(rest) }, sendWith);
}

/** True if the server itself rejected the write, which proves that nothing was written. */
function isRefusal(answer: HttpAnswer, { connection }: RequestContext): boolean {
  return (answer.status === 400 || answer.status === 422) && connection.service.isOwnError(answer);
}

/** The members that a response names. */
function namedBy(answer: HttpAnswer, members: readonly string[]): readonly string[] {
  const words = new Set(answer.text.split(/[^\w-]+/));
  return members.filter((member) => words.has(member));
}

function textsAndNumbersIn(value: Json): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  const inside = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inside.flatMap(textsAndNumbersIn);
}

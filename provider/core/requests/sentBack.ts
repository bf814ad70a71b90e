import type { HttpAnswer } from "../http/request";
import { fieldsOf } from "../language/fields";
import type { Definition } from "../language/resource";
import type { RequestContext } from "../language/stepInput";
import type { Body } from "../language/writes";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";

/**
 * The members of an object that this package does not declare, as just read: an update sends them back, because the
 * endpoint may reset what it omits. An endpoint that takes a patch keeps them, and one with an envelope takes only what
 * its envelope names.
 */
export function sentBackIn(definition: Definition, current: Body): Body {
  const { sends, envelope } = definition.life.writes;
  if (sends === "patch" || envelope !== undefined) return {};
  const known = knownMembers(definition);
  return Object.fromEntries(
    Object.entries(current).filter(([member, value]) => value !== null && !known.has(member)),
  );
}

/** Members that the definition declares, or says not to send back. */
const knownMembers = memoByObject(
  (definition: Definition) =>
    new Set([
      ...fieldsOf(definition).map(({ wire }) => wire),
      ...(definition.life.writes.neverSentBack ?? []),
    ]),
);

/**
 * Sends a write with what it sends back; again without the members that a refusal names. Its values are masked from then on:
 * nobody knows which of them is a secret.
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
  // A refusal that names what the program writes, too, can be about that.
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

/** Whether the service refused the write in its own words, which proves that nothing was written. */
function isRefusal(answer: HttpAnswer, { connection }: RequestContext): boolean {
  return (answer.status === 400 || answer.status === 422) && connection.service.isOwnError(answer);
}

/** The members that an answer names. */
function namedBy(answer: HttpAnswer, members: readonly string[]): readonly string[] {
  const words = new Set(answer.text.split(/[^\w-]+/));
  return members.filter((member) => words.has(member));
}

function textsAndNumbersIn(value: Json): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  const inside = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inside.flatMap(textsAndNumbersIn);
}

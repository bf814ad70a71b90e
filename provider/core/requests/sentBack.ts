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
 * Sends a write with what it sends back; again without what the service refuses of it. Its values are masked from then on:
 * nobody knows which of them is a secret.
 */
export async function sendingBack(
  context: RequestContext,
  sentBack: Body,
  sendWith: (sentBack: Body) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  context.redactor.add(() => textsAndNumbersIn(sentBack));
  const answer = await sendWith(sentBack);
  const refused = refusedOf(sentBack, answer, context);
  if (refused.length === 0) return answer;
  context.log(
    "info",
    `the server refused to take back ${refused.join(", ")} as read; the update is sent again without, and the server may reset what it leaves out`,
  );
  await context.beforeAgain?.();
  const rest = Object.entries(sentBack).filter(([name]) => !refused.includes(name));
  return sendingBack(context, Object.fromEntries(rest), sendWith);
}

/**
 * Members sent back that a refusal is about: those that it names, or all if it names none. Only a 400 or 422 in the
 * service's own words counts, which proves that nothing was written.
 */
function refusedOf(sentBack: Body, answer: HttpAnswer, { connection }: RequestContext): readonly string[] {
  const isRefusal = answer.status === 400 || answer.status === 422;
  if (!isRefusal || !connection.service.isOwnError(answer)) return [];
  const members = Object.keys(sentBack);
  const words = new Set(answer.text.split(/[^\w-]+/));
  const named = members.filter((member) => words.has(member));
  return named.length > 0 ? named : members;
}

function textsAndNumbersIn(value: Json): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  const inside = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inside.flatMap(textsAndNumbersIn);
}

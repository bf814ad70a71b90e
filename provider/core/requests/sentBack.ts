import type { HttpResponse } from "../http/request";
import { fieldsOf } from "../language/fields";
import type { Definition } from "../language/resource";
import type { RequestContext } from "../language/stepInput";
import type { Body } from "../language/writes";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";

/**
 * The members of an object that this package does not declare, as last read. An update semantics them back, because the endpoint
 * may reset members that it does not receive. A patch endpoint preserves them, and an endpoint with an envelope accepts only
 * the members of its envelope.
 */
export function membersToSendBack(
  definition: Definition,
  current: Body,
  refused: ReadonlySet<string> = new Set(),
): Body {
  const { semantics, envelope } = definition.life.writes;
  if (semantics === "patch" || envelope !== undefined) return {};
  const known = knownMembers(definition);
  return Object.fromEntries(
    Object.entries(current).filter(
      ([member, value]) => value !== null && !known.has(member) && !refused.has(member),
    ),
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
 * The undeclared members that the server refused to take back: the rejection names them, and no member that the program
 * writes. The caller semantics the write again without them.
 */
export function refusedMembers(
  { connection, log }: RequestContext,
  { body = {}, sentBack = {} }: { readonly body?: Body; readonly sentBack?: Body },
  answer: HttpResponse,
): readonly string[] {
  const members = Object.keys(sentBack);
  if (members.length === 0 || !isRejection(answer, connection)) return [];
  // If the rejection also names a member that the program writes, that member may be the cause.
  const refused = membersNamedIn(answer, Object.keys(body)).length > 0 ? [] : membersNamedIn(answer, members);
  log(
    "info",
    refused.length === 0
      ? `the rejected update also contained ${members.join(", ")} with the values that the server returned`
      : `the server rejected the values that it returned for ${refused.join(", ")}; the update is sent again without these values, and the server may reset them`,
    { outcome: "rejected" },
  );
  return refused;
}

/** True if the server itself rejected the write, which proves that nothing was written. */
function isRejection(answer: HttpResponse, { service }: RequestContext["connection"]): boolean {
  return (answer.status === 400 || answer.status === 422) && service.isOwnError(answer);
}

/** The members that a response names. */
function membersNamedIn(answer: HttpResponse, members: readonly string[]): readonly string[] {
  const words = new Set(answer.text.split(/[^\w-]+/));
  return members.filter((member) => words.has(member));
}

/** The texts and numbers in undeclared members: any of them may be a secret. */
export function textsAndNumbersIn(value: Json): (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  const inside = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inside.flatMap(textsAndNumbersIn);
}

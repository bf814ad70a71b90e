import type { Change } from "../diff/threeWay";
import { ServiceError } from "../http/errors";
import { type HttpResponse, isSuccess } from "../http/request";
import type { Address, KnownInputs, Observation } from "../language/object";
import { partsFromResponse } from "../language/place";
import { isWrittenObject } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import { isExpectedResponse, partsInPath, type Route } from "../language/route";
import { type Body, ONLY_IF_ABSENT } from "../language/writes";
import type { Records } from "../state/records";
import { isObject, type Json } from "../value/json";
import { bodyForCreate, bodyForUpdate } from "./body";
import { bodyIn, errorFrom } from "./observe";
import { isOver, waitBeforeRetry } from "./probe";
import { send as sendRequest } from "./send";
import { membersToSendBack, textsAndNumbersIn } from "./sentBack";
import { answersOf, sendForResult, type WriteResult } from "./writeResult";

/** One write of an object. */
export interface Write {
  readonly route: Route;
  readonly address: Address;
  readonly body?: Body;
  /** Members that make the server reject the write unless the object is still as just read. */
  readonly precondition?: Body | undefined;
  /** Undeclared members, sent back as read. */
  readonly sentBack?: Body;
  readonly inputs: KnownInputs;
  /** The check-and-set token; "0" for "only if absent". Ignored if the service has no such token. */
  readonly revision?: string | undefined;
}

/** Sends the write of an object once. */
export async function sendObject(context: ObjectContext, write: Write): Promise<WriteResult> {
  const { existing } = context.definition.life.creation;
  return sendForResult(context, {
    route: write.route,
    address: write.address,
    send: (asking) => send(asking, write),
    interpret: (answer) => {
      const isRefused =
        write.revision === ONLY_IF_ABSENT && existing?.by === "rejection" && existing.isRejection(answer);
      return isRefused || isCheckLost(context, answer) ? "preconditionFailed" : undefined;
    },
    handlesIgnoredFields: true,
    isAnswered: (answer) => isAnswered(context, write, answer),
  });
}

/**
 * True if a response with the complete object names the object that was written. If the request's path contains the name,
 * only the path's parts are compared, because someone else may have changed the rest. Otherwise, every part of the name is
 * compared.
 */
function isAnswered({ definition }: ObjectContext, write: Write, answer: HttpResponse): boolean {
  const { reads, writes } = definition.life;
  const { route, address, inputs } = write;
  if (writes.returns !== "object") return true;
  const body = bodyIn(definition, answer.json ?? null, address);
  if (lacksId(definition, address, body)) return false;
  const inPath = new Set<string>(partsInPath(route));
  const named = Object.fromEntries(Object.entries(address).filter(([part]) => inPath.has(part)));
  const isNamed =
    "named" in reads.expects && Object.keys(reads.expects.named).some((part) => inPath.has(part));
  return isWrittenObject(reads.expects, isNamed ? named : { ...address, ...inputs }, body);
}

/** True if a response does not contain a part of the ID that only the server knows. A part with a default can be absent. */
function lacksId({ where }: Definition, address: Address, body: Observation["body"]): boolean {
  const known = { ...where.defaults, ...partsFromResponse(where, body), ...address };
  return Object.keys(where.fromResponse ?? {}).some(
    (part) => where.id.template.includes(`{${part}}`) && known[part] === undefined,
  );
}

/**
 * True if the server still has exactly the written values. Replays the write, for servers that accept a write of equal
 * values with any token and change nothing. Undefined if this cannot be determined.
 * @param current the object as it was just read
 * @param onFailure receives the reason if the replay failed
 */
export async function stillHolds(
  context: ObjectContext,
  write: Write,
  { body }: Observation,
  onFailure?: (why: ServiceError) => void,
): Promise<boolean | undefined> {
  const { check } = context.definition.life;
  const canTell = check?.proof === "repeated" && check.rejectsIdentical?.(body) !== true;
  return canTell ? replay(context, write, onFailure) : undefined;
}

/**
 * Replays the write with the same token. True if the server accepts it. The replay may be sent repeatedly, because it
 * changes nothing. Undefined if this cannot be determined.
 */
export async function replay(
  context: ObjectContext,
  write: Write,
  onFailure?: (why: ServiceError) => void,
): Promise<boolean | undefined> {
  if (isOver(context)) return undefined;
  for (let tries = 1; ; tries++) {
    try {
      const answer = await send(context, write);
      if (isCheckLost(context, answer)) return false;
      if (isExpectedResponse(answersOf(write.route, context), answer, context.connection.dialect.headers))
        return true;
      onFailure?.(errorFrom(context, answer, write.route, write.address, "write"));
      if (answer.status < 500 && !isSuccess(answer)) return undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      onFailure?.(error);
    }
    if ((await waitBeforeRetry(context, tries)) === undefined) return undefined;
  }
}

/** True if the server reports a failed precondition. The meaning of the error decides, not its status. */
function isCheckLost({ definition: { service, life } }: ObjectContext, answer: HttpResponse): boolean {
  const isChecked = life.check !== undefined || life.writes.precondition !== undefined;
  return isChecked && service.errorKind?.(answer) === "checkAndSetLost";
}

function send(context: ObjectContext, write: Write): Promise<HttpResponse> {
  const { query, body } = contentOf(context, write);
  const { sentBack = {}, precondition = {} } = write;
  if (Object.keys(sentBack).length > 0) context.redactor.add(() => textsAndNumbersIn(sentBack));
  return sendRequest(context, write.route, write.address, {
    nature: "write",
    query,
    ...(body !== undefined && { body: isObject(body) ? { ...sentBack, ...body } : body }),
    // A server without this check reports the precondition as ignored.
    sentBack: [...Object.keys(sentBack), ...Object.keys(precondition)],
  });
}

/** The write that creates an object. */
export function writeToCreate(definition: Definition, address: Address, inputs: KnownInputs): Write {
  const { writes, links } = definition.life;
  const body = bodyForCreate(definition, inputs, links);
  const precondition = writes.precondition?.members(undefined);
  return { route: writes.create, address, body, precondition, inputs, revision: ONLY_IF_ABSENT };
}

/** The write that makes these changes to an object on record. It uses the current values if the object was just read. */
export function writeToUpdate(
  definition: Definition,
  { records, inputs, changes, current, refused }: ToUpdate,
): Write {
  const { update, completeBody, inheritance, precondition } = definition.life.writes;
  const from = { inputs, applied: records.lastApplied, current };
  const own = bodyForUpdate(definition, inputs, changes, current ?? {});
  const body = withFlags(completeBody?.(own, from) ?? own, inheritance?.flags(from));
  const sentBack = membersToSendBack(definition, current ?? {}, refused);
  return {
    route: update,
    address: records.address,
    body,
    precondition: current && precondition?.members(current),
    sentBack,
    inputs,
    revision: records.revision,
  };
}

/** The body of an update with the flags that reset dropped properties. The program's own values take precedence. */
function withFlags(body: Body, flags: Body = {}): Body {
  const entries = Object.entries(flags).map(([name, flag]) => {
    const own = body[name];
    return [name, isObject(flag) && isObject(own) ? { ...flag, ...own } : (own ?? flag)] as const;
  });
  return { ...body, ...Object.fromEntries(entries) };
}

/** The inputs of an update. */
interface ToUpdate {
  readonly records: Records;
  readonly inputs: KnownInputs;
  readonly changes: readonly Change[];
  readonly current?: Observation["body"] | undefined;
  /** The undeclared members that the server refused to take back. */
  readonly refused?: ReadonlySet<string>;
}

/** The query and the complete body of a write, with its steering parameters and its check. */
export function contentOf(
  { definition, connection }: Pick<ObjectContext, "definition" | "connection">,
  write: Write,
): { readonly query: Readonly<Record<string, string>>; readonly body: Json | undefined } {
  const { check, writes } = definition.life;
  const checked = check && write.revision !== undefined ? check.requestParts(write.revision) : {};
  const steer = write.route.steer?.(write.inputs) ?? {};
  const { dialect } = connection;
  const wrapped = write.body && (writes.envelope?.(write.body, { ...write, dialect }) ?? write.body);
  const extra = { ...steer.body, ...checked.body, ...write.precondition };
  const own = wrapped ?? (steer.body && {});
  const body = own !== undefined && isObject(own) ? { ...own, ...extra } : own;
  return { query: { ...steer.query, ...checked.query }, body };
}

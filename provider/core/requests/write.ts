import type { Change } from "../compare/changes";
import { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import type { Address, Observation, Values } from "../language/object";
import { isObjectWritten } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import { isAsSaid, partsInPath, type Route } from "../language/route";
import { type Body, ONLY_IF_ABSENT } from "../language/writes";
import type { Records } from "../state/records";
import { isObject, type Json } from "../value/json";
import { bodyForCreate, bodyForUpdate } from "./body";
import { isSentOnceMore } from "./doubt";
import { bodyIn, errorFrom, isSuccess } from "./observe";
import { send } from "./send";
import { answersOf, type LookResult, type Outcome, sendOnceAndLook } from "./sendOnce";
import { sendingBack, sentBackIn } from "./sentBack";

/** One write of an object. */
export interface Write {
  readonly route: Route;
  readonly address: Address;
  readonly body?: Body;
  /** Undeclared members that go back as they were read, unless the service refuses them. */
  readonly sentBack?: Body;
  readonly inputs: Readonly<Record<string, Json>>;
  /** The check-and-set token; "0" for "only if absent". Ignored where the service has none. */
  readonly token?: string | undefined;
  /** Whether it would do harm if it were carried out late. */
  readonly harmsLate?: boolean;
}

/** The meaning of an answer to an object's write that neither confirms nor refuses it. */
export type Meaning =
  /** The service's check refused it: somebody was faster. */
  | "lost"
  /** The service refused to create what exists. */
  | "exists";

/**
 * Writes an object, once.
 * @param look whether it was carried out, where its answer does not tell; it sends reads only
 * @throws ServiceError where the service refused the write, or could not be reached.
 */
export function writeOnce<T = Observation>(
  context: ObjectContext,
  write: Write,
  look: (context: ObjectContext) => Promise<LookResult<T>>,
): Promise<Outcome<T, Meaning>> {
  const { existing } = context.definition.life.creation;
  return sendOnceAndLook<ObjectContext, T, Meaning>(context, {
    route: write.route,
    address: write.address,
    send: (asking) => sent(asking, write),
    means: (answer) => {
      if (isCheckLost(context, answer)) return "lost";
      const isRefused =
        write.token === ONLY_IF_ABSENT && existing?.by === "a refusal" && existing.says(answer);
      return isRefused ? "exists" : undefined;
    },
    seesToNotTaken: true,
    isAnswered: (answer) => isAnswered(context, write, answer),
    look,
    harmsLate: write.harmsLate ?? false,
  });
}

/**
 * Whether an answer that holds the whole object names the one that was written: by what the request's path names, where
 * that tells it, because anything else of it somebody may have changed; else by all that names it.
 */
function isAnswered({ definition }: ObjectContext, write: Write, answer: HttpAnswer): boolean {
  const { reads, writes } = definition.life;
  const { route, address, inputs } = write;
  if (writes.answer !== "object") return true;
  const inPath = new Set<string>(partsInPath(route));
  const named = Object.fromEntries(Object.entries(address).filter(([part]) => inPath.has(part)));
  const isNamed = "named" in reads.shows && Object.keys(reads.shows.named).some((part) => inPath.has(part));
  return isObjectWritten(
    reads.shows,
    isNamed ? named : { ...address, ...inputs },
    bodyIn(definition, answer.json ?? null),
  );
}

/**
 * Writes the same once more, where the service takes what it holds already for no conflict, whatever the token, and
 * changes nothing by it: whether it still holds exactly what was written. Undefined where that cannot be told.
 * @param current the object as it was just read
 * @param onFailure is told why it could not be asked
 */
export async function stillHolds(
  context: ObjectContext,
  write: Write,
  { body }: Observation,
  onFailure?: (why: ServiceError) => void,
): Promise<boolean | undefined> {
  const { check } = context.definition.life;
  const canTell = check?.proof === "repeated" && check.refusesEqual?.(body) !== true;
  return canTell ? repeated(context, write, onFailure) : undefined;
}

/**
 * Writes the same once more, with the same token: whether the service takes it. It may be sent as often as it takes, because
 * nothing changes by it. Undefined where that cannot be told.
 */
export async function repeated(
  context: ObjectContext,
  write: Write,
  onFailure?: (why: ServiceError) => void,
): Promise<boolean | undefined> {
  if (isOver(context)) return undefined;
  for (let tries = 1; ; tries++) {
    try {
      const answer = await sent(context, write);
      if (isCheckLost(context, answer)) return false;
      if (isAsSaid(answersOf(write.route, context), answer)) return true;
      onFailure?.(errorFrom(context, answer, write.route, write.address, "write"));
      if (answer.status < 500 && !isSuccess(answer)) return undefined;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      onFailure?.(error);
    }
    if (!(await isSentOnceMore(context, tries))) return undefined;
  }
}

/** Whether the service says that its check was lost; it decides by meaning, not by status. */
function isCheckLost({ definition: { service, life } }: ObjectContext, answer: HttpAnswer): boolean {
  return life.check !== undefined && service.errorKind?.(answer) === "checkAndSetLost";
}

/** After the end of an operation, and after a cancel, nothing is written any more. */
function isOver({ connection, deadline, signal }: ObjectContext): boolean {
  return (signal?.aborted ?? false) || connection.runtime.now() >= deadline;
}

function sent(context: ObjectContext, write: Write): Promise<HttpAnswer> {
  const { query, body } = carriedBy(context, write);
  const { sentBack: back = {} } = write;
  return sendingBack(context, { written: isObject(body) ? body : {}, sentBack: back }, (sentBack) =>
    send(context, write.route, write.address, {
      nature: "write",
      query,
      ...(body !== undefined && { body: isObject(body) ? { ...sentBack, ...body } : body }),
      sentBack: Object.keys(sentBack),
    }),
  );
}

/** The write that creates an object. */
export function writeToCreate(definition: Definition, address: Address, inputs: Values): Write {
  const { writes, links } = definition.life;
  const body = bodyForCreate(definition, inputs, links);
  return { route: writes.create, address, body, inputs, token: ONLY_IF_ABSENT };
}

/** The write that makes these changes to an object on record, of which more is known where it was just read. */
export function writeToUpdate(
  definition: Definition,
  { records, inputs, changes, current }: ToUpdate,
): Write {
  const { update, completes } = definition.life.writes;
  const own = bodyForUpdate(definition, inputs, changes, current ?? {});
  const body = completes?.(own, { inputs, applied: records.applied, current }) ?? own;
  const sentBack = sentBackIn(definition, current ?? {});
  return { route: update, address: records.address, body, sentBack, inputs, token: records.token };
}

/** What an update is made of. */
interface ToUpdate {
  readonly records: Records;
  readonly inputs: Values;
  readonly changes: readonly Change[];
  readonly current?: Observation["body"] | undefined;
}

/** What the request of a write carries: its body whole, with what steers it and its check. */
export function carriedBy(
  { definition, connection }: Pick<ObjectContext, "definition" | "connection">,
  write: Write,
): { readonly query: Readonly<Record<string, string>>; readonly body: Json | undefined } {
  const { check, writes } = definition.life;
  const checked = check && write.token !== undefined ? check.carry(write.token) : {};
  const steer = write.route.steer?.(write.inputs) ?? {};
  const { dialect } = connection;
  const wrapped = write.body && (writes.envelope?.(write.body, { ...write, dialect }) ?? write.body);
  const extra = { ...steer.body, ...checked.body };
  const own = wrapped ?? (steer.body && {});
  const body = own !== undefined && isObject(own) ? { ...own, ...extra } : own;
  return { query: { ...steer.query, ...checked.query }, body };
}

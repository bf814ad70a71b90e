import { type AnswerFormat, serviceErrorFrom } from "../http/describe";
import type { ServiceError } from "../http/errors";
import { type HttpResponse, isSuccess, maskText, type Nature } from "../http/request";
import { isOwnRefusal } from "../language/cluster";
import { fieldNamed } from "../language/fields";
import type { Address, Observation } from "../language/object";
import { partsFromResponse } from "../language/place";
import { absenceProofOf, isRequestedObject } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import { completePath, needsText, partsInPath } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import type { Link, LinkContext } from "../language/writes";
import { NotOfferedError } from "../state/errors";
import { answeredSecrets } from "../state/redaction";
import { formatJson, type Json, ownMember } from "../value/json";
import { isEmpty, textIn, wholeIn } from "../value/scalar";
import { otherDialectAdvice } from "./dialect";
import { filledPath, permissionsFor, type RoutePermissions, send } from "./send";

/** The links to read. Each has the value that this program last wrote there, if the state records one. */
export type LinksToRead = ReadonlyMap<string, Json | undefined>;

/** The values that a program requests. It is an error if the server does not offer one of these, but not if it lacks others. */
export type RequestedValues = Readonly<Record<string, Json>>;

/**
 * Reads one object. Undefined if the server proves that the object does not exist.
 * `managed` names the properties with requests of their own (links) to read; by default, none.
 * @throws ServiceError for every response that is neither the object nor such a proof.
 */
export async function observe(
  context: ObjectContext,
  address: Address,
  managed: LinksToRead = new Map(),
  wanted: RequestedValues = {},
): Promise<Observation | undefined> {
  const { service, life } = context.definition;
  const { one, byName = one, reportsNoObject, containsNoObject } = life.reads;
  const route = partsInPath(one).every((name) => address[name] !== undefined) ? one : byName;
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer)) {
    if (await absenceProofOf(service, life.reads).proves(answer, context, address)) return undefined;
    throw errorFrom(context, answer, route, address);
  }
  if (reportsNoObject?.(answer.json ?? null)) return undefined;
  const observation = observationOf(context, answer.json, address);
  if (!isComplete(context.definition, route.path, address, observation.body))
    throw errorOfRead(context, answer, route, address);
  if (containsNoObject?.(observation.body, address)) return undefined;
  const complete = await withFurther(context, observation);
  return complete && withLinks(context, complete, managed, wanted);
}

/** Adds the member that only a further request returns. Undefined if the object no longer exists. */
async function withFurther(
  context: ObjectContext,
  observation: Observation,
): Promise<Observation | undefined> {
  const { service, life } = context.definition;
  const { further } = life.reads;
  if (further === undefined) return observation;
  const { route, member } = further;
  const { address, body } = observation;
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer) && (await absenceProofOf(service, life.reads).proves(answer, context, address)))
    return undefined;
  const value = isSuccess(answer) ? ownMember(service.unwrap(answer.json ?? null), member) : undefined;
  if (value === undefined || value === null || value === "")
    throw errorOfRead(context, answer, route, address);
  return { ...observation, body: { ...body, [member]: value } };
}

/** True if a body that was not read by a request of its own shows the object at this address. */
export function isAsked(definition: Definition, address: Address, body: Observation["body"]): boolean {
  const { one, containsNoObject } = definition.life.reads;
  return isComplete(definition, one.path, address, body) && containsNoObject?.(body, address) !== true;
}

/** True if a body is the object at this address, with its index if the service checks writes by an index. */
function isComplete(
  { life: { check, reads } }: Definition,
  path: string,
  address: Address,
  body: Observation["body"],
): boolean {
  const hasIndex = check === undefined || wholeIn(body[check.token]) !== undefined;
  return hasIndex && isRequestedObject(reads.expects, path, address, body);
}

/** The object in a response, with the member names that its properties use. */
export function bodyIn({ service, life }: Definition, json: Json, asked: Address): Observation["body"] {
  const members = service.unwrap(json);
  return life.reads.toObject?.(members, json, asked) ?? members;
}

/** Reads the object, its address and its check-and-set token from the JSON of a response. */
export function observationOf(context: ObjectContext, json: Json | undefined, address: Address): Observation {
  const { definition } = context;
  const { check } = definition.life;
  const own = bodyIn(definition, json ?? null, address);
  const answered = definition.life.reads.withSite?.(own, context.connection) ?? own;
  context.redactor.add(() => answeredSecrets(definition, answered));
  const body = context.fingerprints?.hide(answered) ?? answered;
  const token = check && wholeIn(body[check.token]);
  const stamp = stampIn(definition, body);
  return {
    body,
    address: { ...address, ...partsFromResponse(definition.where, body) },
    ...(token !== undefined && { revision: String(token) }),
    ...(stamp !== undefined && { stamp }),
  };
}

/**
 * The members with which a list proves that an object is unchanged. Undefined if the list shows the object itself, or if one
 * of the members is missing.
 */
function stampIn({ life }: Definition, body: Observation["body"]): string | undefined {
  const values = life.reads.list?.refreshData?.unchangedMembers?.map((member) => body[member] ?? null);
  return values === undefined || values.includes(null)
    ? undefined
    : values.map((value) => textIn(value) ?? formatJson(value)).join(" ");
}

/** Adds the values of the links that the program manages. Each of them needs a further request. */
export async function withLinks(
  context: ObjectContext,
  observation: Observation,
  managed: LinksToRead,
  wanted: RequestedValues = {},
): Promise<Observation> {
  const links = context.definition.life.links.filter((link) => link.read && managed.has(link.field));
  const { address, body } = observation;
  const values = await Promise.all(
    links.map(async (link) => {
      const linkContext = { written: managed.get(link.field), body };
      const value = await readOrNone(context, link, { address, linkContext, wanted });
      // The body contains the value of a link as that of any other property.
      return [fieldNamed(context.definition, link.field)?.wire ?? link.field, value] as const;
    }),
  );
  return {
    ...observation,
    body: { ...body, ...Object.fromEntries<Json>(values) },
  };
}

/** The value of a link; null if this server has no endpoint for it and the program sets no value. */
async function readOrNone(
  context: ObjectContext,
  link: Link,
  { address, linkContext, wanted }: { address: Address; linkContext: LinkContext; wanted: RequestedValues },
): Promise<Json> {
  try {
    return (await link.read?.(context, address, linkContext)) ?? null;
  } catch (error) {
    if (!(error instanceof NotOfferedError) || !isEmpty(wanted[link.field])) throw error;
    if (!isEmpty(linkContext.written)) context.log("warning", error.message);
    return null;
  }
}

/** Converts an error response to an error with advice for the user. */
export function errorFrom(
  context: RequestContext,
  answer: HttpResponse,
  route: RoutePermissions,
  address: Address,
  nature: Nature = route.method === "GET" ? "read" : "write",
  unexpected?: AnswerFormat["unexpected"],
): ServiceError {
  const { connection } = context;
  const { service } = connection;
  const path = completePath(service, filledPath(route.path, address, connection));
  return serviceErrorFrom({ method: route.method, path, nature, secrets: context.redactor }, answer, {
    service: service.name,
    words: (error) => service.errorMessage(error),
    isOwnError: (error) => service.isOwnError(error),
    isOwnRefusal: (error) => isOwnRefusal(service, error),
    ...(service.errorKind && { errorKind: service.errorKind }),
    hides: service.hidesAsNotFound,
    needs: maskText(answer, needsText(permissionsFor(connection, route, address).permissions)),
    advice: (error) =>
      otherDialectAdvice(connection, error) ??
      service.advice?.(error, { label: context.label, address, connection }),
    tokenAdvice: connection.tokenAdvice,
    unexpected,
  });
}

/** The error for a read whose response is a rejection or not the requested object. */
export function errorOfRead(
  context: RequestContext,
  answer: HttpResponse,
  route: RoutePermissions,
  address: Address,
): ServiceError {
  const unexpected = {
    event: "with an object other than the requested object",
    outcome: "notApplied",
  } as const;
  return errorFrom(context, answer, route, address, "read", isSuccess(answer) ? unexpected : undefined);
}

/**
 * The links of all properties that have a value in one of these models or inputs. The first model contains the values that
 * the program wrote last.
 */
export function managedLinks(
  definition: Definition,
  written: Readonly<Record<string, Json | undefined>>,
  ...others: Readonly<Record<string, unknown>>[]
): LinksToRead {
  const names = definition.life.links.map((link) => link.field);
  const managed = names.filter((name) => [written, ...others].some((values) => values[name] !== undefined));
  return new Map(managed.map((name) => [name, written[name]]));
}

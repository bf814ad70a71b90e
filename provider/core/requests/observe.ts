import { serviceErrorFrom, unexpectedAnswer } from "../http/answerErrors";
import type { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import { isOwnRefusal } from "../language/cluster";
import { fieldNamed } from "../language/fields";
import type { Address, Observation } from "../language/object";
import { answeredParts } from "../language/place";
import { goneProofOf, isObjectAsked } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import { needsText, partsInPath } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import type { Link, LinkContext } from "../language/writes";
import { NotOfferedError } from "../state/failures";
import { answeredSecrets } from "../state/redaction";
import { isEmpty } from "../value/equality";
import { formatJson, type Json } from "../value/json";
import { textIn, wholeIn } from "../value/scalar";
import { otherDialectAdvice } from "./dialectOf";
import { type AskedFor, filledPath, neededFor, send } from "./send";

/** The links that are to be read, each with what this program wrote there, as far as that is on record. */
export type LinksToRead = ReadonlyMap<string, Json | undefined>;

/** What a program asks for now: a part of it that the server does not offer is an error, and any other is none. */
export type Wanted = Readonly<Record<string, Json>>;

/**
 * Reads one object as the service holds it now; undefined where the service proves that it is gone.
 * `managed` names the properties whose own requests must be read too (links); none where nothing is given.
 * @throws ServiceError for every answer that is neither the object nor a proof.
 */
export async function observe(
  context: ObjectContext,
  address: Address,
  managed: LinksToRead = new Map(),
  wanted: Wanted = {},
): Promise<Observation | undefined> {
  const { service, life } = context.definition;
  const { one, byName = one, shows, saysNone, isNone } = life.reads;
  const route = partsInPath(one).every((name) => address[name] !== undefined) ? one : byName;
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer)) {
    if (await goneProofOf(service, life.reads).proves(answer, context, address)) return undefined;
    throw errorFrom(context, answer, route, address);
  }
  if (saysNone?.(answer.json ?? null)) return undefined;
  const observation = opened(context, answer, address);
  const { body } = observation;
  if (!isObjectAsked(shows, route.path, address, body) || !showsToken(context.definition, body))
    throw errorOfRead(context, answer, route, address);
  return isNone?.(body, address) ? undefined : withLinks(context, observation, managed, wanted);
}

/** Whether a body that nobody has asked for by itself is the object of an address, and shows it. */
export function isAsked(definition: Definition, address: Address, body: Observation["body"]): boolean {
  const { one, shows, isNone } = definition.life.reads;
  const isShown = isObjectAsked(shows, one.path, address, body) && showsToken(definition, body);
  return isShown && isNone?.(body, address) !== true;
}

/** Whether an object says its index, where the service checks writes by one. */
function showsToken({ life: { check } }: Definition, body: Observation["body"]): boolean {
  return check === undefined || wholeIn(body[check.token]) !== undefined;
}

/** The object in an answer, as its properties name it. */
export function bodyIn({ service, life }: Definition, json: Json): Observation["body"] {
  const members = service.open(json);
  return life.reads.as?.(members, json) ?? members;
}

/** Takes the object, its address and its token out of an answer. */
export function opened(context: ObjectContext, answer: HttpAnswer, address: Address): Observation {
  return openedFrom(context, answer.json ?? null, address);
}

/** The same of what an answer holds, wherever it comes from. */
export function openedFrom(context: ObjectContext, json: Json, address: Address): Observation {
  const { definition } = context;
  const { check } = definition.life;
  const own = bodyIn(definition, json);
  const answered = definition.life.reads.at?.(own, context.connection) ?? own;
  context.redactor.add(() => answeredSecrets(definition, answered));
  const body = context.sealing?.sealed(answered) ?? answered;
  const token = check && wholeIn(body[check.token]);
  const stamp = stampIn(definition, body);
  return {
    body,
    address: { ...address, ...answeredParts(definition.where, body) },
    ...(token !== undefined && { token: String(token) }),
    ...(stamp !== undefined && { stamp }),
  };
}

/** What a list shows of an object to prove that it is as it was; undefined where it shows the object, or not all of that. */
export function stampIn({ life }: Definition, body: Observation["body"]): string | undefined {
  const values = life.reads.list?.carries?.unmovedBy?.map((member) => body[member] ?? null);
  return values === undefined || values.includes(null)
    ? undefined
    : values.map((value) => textIn(value) ?? formatJson(value)).join(" ");
}

/** Adds what only a further request tells, for the links that the program manages. */
export async function withLinks(
  context: ObjectContext,
  observation: Observation,
  managed: LinksToRead,
  wanted: Wanted = {},
): Promise<Observation> {
  const links = context.definition.life.links.filter((link) => link.read && managed.has(link.field));
  const { address, body } = observation;
  const values = await Promise.all(
    links.map(async (link) => {
      const linkContext = { written: managed.get(link.field), body };
      const value = await readOrNone(context, link, { address, linkContext, wanted });
      return [memberOf(context.definition, link), value] as const;
    }),
  );
  return {
    ...observation,
    body: { ...observation.body, ...(Object.fromEntries(values) as Record<string, Json>) },
  };
}

/** What a link holds; nothing where this server has no endpoint for it and the program does not ask for any. */
async function readOrNone(
  context: ObjectContext,
  link: Link,
  { address, linkContext, wanted }: { address: Address; linkContext: LinkContext; wanted: Wanted },
): Promise<Json> {
  try {
    return (await link.read?.(context, address, linkContext)) ?? null;
  } catch (error) {
    if (!(error instanceof NotOfferedError) || !isEmpty(wanted[link.field])) throw error;
    if (!isEmpty(linkContext.written)) context.log("warning", error.message);
    return null;
  }
}

/** The member of a body under which a link's value is found, like any other property's. */
function memberOf(definition: Definition, link: Link): string {
  return fieldNamed(definition, link.field)?.wire ?? link.field;
}

/** An answer that is an error, as the error that tells the person who must act. */
export function errorFrom(
  context: RequestContext,
  answer: HttpAnswer,
  route: AskedFor,
  address: Address,
  nature: "read" | "write" | "single-use" = route.method === "GET" ? "read" : "write",
): ServiceError {
  const { connection } = context;
  const { service } = connection;
  const path = service.prefix + filledPath(route.path, address, connection);
  return serviceErrorFrom({ method: route.method, path, nature, secrets: context.redactor }, answer, {
    service: service.name,
    words: (error) => service.words(error),
    isOwnError: (error) => service.isOwnError(error),
    isOwnRefusal: (error) => isOwnRefusal(service, error),
    ...(service.errorKind && { errorKind: service.errorKind }),
    hides: service.hidesByNotFound,
    needs: masked(answer, needsText(neededFor(connection, route, address).rights)),
    advice: (error) =>
      otherDialectAdvice(connection, error) ??
      service.advice?.(error, { label: context.label, address, connection }),
    renewsToken: connection.renewsToken,
  });
}

const masked = ({ mask = (text: string) => text }: HttpAnswer, text: string) => mask(text);

/** What was answered to a read, and is a refusal or not what was asked for, as an error. */
export function errorOfRead(
  context: RequestContext,
  answer: HttpAnswer,
  route: AskedFor,
  address: Address,
): ServiceError {
  const error = errorFrom(context, answer, route, address, "read");
  if (!isSuccess(answer)) return error;
  return unexpectedAnswer(error, `answered ${answer.status} with what is not the object that was asked for`);
}

/** Whether a status says that the request was carried out. */
export function isSuccess(answer: HttpAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/**
 * The links of the properties that have a value in one of these models or inputs. The first of them is what the
 * program wrote at its last write.
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

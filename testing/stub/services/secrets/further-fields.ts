import { isDeepStrictEqual } from "node:util";
import type { StubResponse } from "../../service";
import { invalid } from "./errors";
import { type Fields, isRecord } from "./fields";
import type { FurtherFields } from "./further-field";
import type { Endpoint, Operation } from "./operation";

/** Handles a request, and stores or adds the further fields of its object. */
export function withFurtherFields<Op extends Operation>(
  operation: Op & { readonly mountPath?: string },
  endpoint: Endpoint<Op>,
  handle: (operation: Op) => StubResponse,
): StubResponse {
  const { verb, fields, world } = operation;
  const further = furtherFieldsOf(endpoint, operation);
  if (verb === "list" || Object.keys(further).length === 0) return handle(operation);
  const refused = Object.keys(further).find((name) => further[name]?.kind === "refused" && fields.has(name));
  if (verb === "write" && refused !== undefined) throw invalid(`${refused} cannot be set`);
  if (verb === "write")
    endpoint.checkFurther?.(operation, fieldsAfter(operation, endpoint, keyOf(operation, endpoint)));
  const response = handle(operation);
  const key = keyOf(operation, endpoint, response);
  const before = world.furtherFields.get(key) ?? {};
  if (verb === "remove") world.furtherFields.delete(key);
  if (verb !== "write") return verb === "read" ? addFields(response, further, before) : response;
  const after = fieldsAfter(operation, endpoint, key);
  world.furtherFields.set(key, after);
  return isMade(response) ? response : addFields(response, further, after);
}

/** The further fields of an object after a write, without those that have their initial values. */
function fieldsAfter<Op extends Operation>(
  operation: Op,
  endpoint: Endpoint<Op>,
  key: string,
): Readonly<Record<string, unknown>> {
  const { fields, world } = operation;
  const before = world.furtherFields.get(key) ?? {};
  const further = Object.entries(furtherFieldsOf(endpoint, operation));
  const { replaces = false } = endpoint;
  const isReplaced = typeof replaces === "function" ? replaces(operation) : replaces;
  const after = further.flatMap(([name, { kind, initially, parse = raw }]) => {
    const isKept = kind === "writable" ? !isReplaced : kind !== "reset when omitted";
    const given = kind !== "read-only" && fields.has(name) ? parse(fields, name) : undefined;
    const value = given ?? (isKept ? before[name] : undefined);
    return value === undefined || isDeepStrictEqual(value, initially) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(after);
}

const raw = (fields: Fields, name: string) => fields.raw(name);

/** The further fields of an endpoint whose objects can be read and written; none for other endpoints. */
export function furtherFieldsOf<Op extends Operation>(
  { path, write, read, list, further }: Endpoint<Op>,
  { switches }: Operation,
): FurtherFields {
  const isObjects = !path.startsWith("sys/") || path.startsWith("sys/policies/");
  const isOfObjects = isObjects && write !== undefined && (read ?? list) !== undefined;
  if (!isOfObjects) return {};
  return { ...(switches.dialect === "real" && further?.(switches)), ...switches.laterFields };
}

/** The key of an object: its namespace, engine, endpoint and name. A create may return the name in its response. */
function keyOf<Op extends Operation>(
  { namespace, mountPath = "", params }: Operation & { readonly mountPath?: string },
  { path }: Endpoint<Op>,
  response?: StubResponse,
): string {
  const { name = params.method_id ?? params.policy ?? params.path ?? params.id } = params;
  const at = `${namespace.path}|${mountPath}|`;
  return response !== undefined && isMade(response)
    ? `${at}${path}/:method_id|${response.body.data.method_id}`
    : `${at}${path}|${name ?? ""}`;
}

/** True if a response contains the ID of the object that a write created. */
function isMade(
  response: StubResponse,
): response is StubResponse & { readonly body: { readonly data: { readonly method_id: unknown } } } {
  const { body } = response;
  return isRecord(body) && isRecord(body.data) && "method_id" in body.data;
}

/** The response with the object's further fields added. */
function addFields(
  response: StubResponse,
  further: FurtherFields,
  values: Readonly<Record<string, unknown>>,
): StubResponse {
  const { body } = response;
  if (!isRecord(body) || !isRecord(body.data)) return response;
  const all = Object.entries(further).map(([name, { initially }]) => [name, values[name] ?? initially]);
  return { ...response, body: { ...body, data: { ...body.data, ...Object.fromEntries(all) } } };
}

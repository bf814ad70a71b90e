import { isObject, type Json, type Route, type Values } from "../../../core";
import { secrets } from "../service";
import type { Fresh } from "./fresh";

/** One request for credentials. */
interface CredentialRequest {
  readonly route: Route;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { [member: string]: Json };
}

/** The request for these arguments. The parameters are in the query of a GET and in the body of a POST. */
export function requestFor(
  { route, parameters, needed }: Pick<Fresh, "route" | "parameters"> & Partial<Pick<Fresh, "needed">>,
  args: Values,
) {
  const asked: Route = { ...route(args), ...(needed && { expects: needed }) };
  const given = withoutUndefined(parameters?.(args) ?? {});
  const request: CredentialRequest =
    asked.method === "GET" ? { route: asked, query: given } : { route: asked, body: given };
  return request;
}

/** The members of a response and of its lease, by wire name. */
export function membersOf(answer: Json): { [member: string]: Json } {
  const envelope = isObject(answer) ? answer : {};
  return { ...secrets.unwrap(envelope), ...leaseIn(envelope) };
}

function leaseIn(envelope: { readonly [member: string]: Json }): { [member: string]: Json } {
  const { lease_id: id, lease_duration: duration, renewable } = envelope;
  if (typeof id !== "string" || id === "") return {};
  return { lease_id: id, lease_duration: duration ?? null, renewable: renewable ?? null };
}

function withoutUndefined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

import {
  type HttpRequest,
  type HttpResponse,
  isObject,
  type Json,
  ownMember,
  type ServiceWarning,
} from "../../core";

/**
 * The warnings of a response (specification: Common envelope, `warnings`). Two kinds report ignored input: a parameter that
 * the endpoint does not know, and one whose value differs from its value in the path.
 */
export function warningsIn({ json }: HttpResponse, request: HttpRequest): ServiceWarning[] {
  const warnings = isObject(json) && Array.isArray(json.warnings) ? json.warnings : [];
  return warnings.flatMap((warning) => (typeof warning === "string" ? parseWarning(warning, request) : []));
}

/** True for an envelope that contains only warnings. */
export function warnsOnly({ json }: HttpResponse): boolean {
  if (!isObject(json) || !Array.isArray(json.warnings) || json.warnings.length === 0) return false;
  const { data = null, auth = null } = json;
  return (
    "data" in json && (data === null || (isObject(data) && Object.keys(data).length === 0)) && auth === null
  );
}

/** The messages of Vault and OpenBao for parameters that they do not know, and for those that they took from the path. */
const UNKNOWN = /^Endpoint ignored these unrecognized parameters: \[(.*)\]$/s;
const REPLACED =
  /^Endpoint replaced the value of these parameters with the values captured from the endpoint's path: \[(.*)\]$/s;

function parseWarning(text: string, request: HttpRequest): ServiceWarning[] {
  const unknown = namesIn(UNKNOWN.exec(text));
  if (unknown !== undefined) return [{ text, notAccepted: unknown }];
  const replaced = namesIn(REPLACED.exec(text));
  if (replaced === undefined) return [{ text }];
  // A parameter with the same value as the path was replaced by that value, so it was not ignored.
  const others = replaced.filter((name) => !isInPath(request, sentValue(request, name)));
  return others.length === 0 ? [] : [{ text, notAccepted: others }];
}

function namesIn(match: RegExpExecArray | null): string[] | undefined {
  return match?.[1]?.split(" ").filter((name) => name !== "");
}

function sentValue({ body, query }: HttpRequest, name: string): Json | undefined {
  const value = (isObject(body) ? ownMember(body, name) : undefined) ?? ownMember(query ?? {}, name);
  return Array.isArray(value) ? undefined : (value as Exclude<typeof value, readonly string[]>);
}

function isInPath({ path }: HttpRequest, value: Json | undefined): boolean {
  const said = `/${path.split("/").map(decodeURIComponent).join("/")}/`;
  return typeof value === "string" && value !== "" && said.includes(`/${value}/`);
}

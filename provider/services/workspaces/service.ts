import { z } from "zod";
import type { HttpAnswer } from "../../core/http/request";
import { field } from "../../core/language/facts";
import type { Dialect, Service } from "../../core/language/service";
import { isObject, type Json } from "../../core/value/json";

const neutral: Dialect = { headers: {} };

/** The product's own names (wire facts, "Names"). */
const real: Dialect = {
  headers: {},
  parameters: { "search[exclude_tags]": "search[exclude-tags]" },
  segments: { "engine.json": "terraform.json" },
  members: {
    "data.attributes.engine-version": "terraform-version",
    "data.*.attributes.engine-version": "terraform-version",
  },
};

/** Workspaces and the private registry (specification: Workspace and Private Registry API). */
export const workspaces: Service = {
  name: "workspaces",
  naming: "kebab",
  prefix: "/api/v2",
  contentType: "application/vnd.api+json",
  settings: {
    organization: field(z.string().min(1).optional(), {
      doc: "The organization of resources that name none.",
    }),
  },
  dialects: { neutral, real },
  hidesByNotFound: true,
  headers: (settings) =>
    typeof settings.token === "string" ? { authorization: `Bearer ${settings.token}` } : {},
  advice: (answer) =>
    answer.status === 403 && (answer.url?.includes("/registry-providers") || /curation/i.test(answer.text))
      ? "Here a 403 says that the curation of public providers is disabled: enable it in the organization's settings."
      : undefined,
  answers: { POST: ["id"], PATCH: ["id"], DELETE: "nothing" },
  isOwnError: (answer) => errorsIn(answer).length > 0,
  words: (answer) => errorsIn(answer).join("; ") || answer.text.trim(),
  open: opened,
};

/** The texts of a JSON:API error body, in its newer and its older form. */
export function errorsIn(answer: HttpAnswer): string[] {
  const errors = isObject(answer.json) && Array.isArray(answer.json.errors) ? answer.json.errors : [];
  return errors.map((error) => {
    if (!isObject(error)) return String(error);
    const [title, detail] = [error.title, error.detail].map((text) => (typeof text === "string" ? text : ""));
    return title && detail && title !== detail
      ? `${title}: ${detail}`
      : detail || title || JSON.stringify(error);
  });
}

/**
 * A JSON:API document as one flat object: its attributes, its id, and for each relationship that points to one
 * object that object's id under `<relationship>-id`.
 */
function opened(answer: Json): { readonly [member: string]: Json } {
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  const relationships = isObject(data.relationships) ? data.relationships : {};
  const ids = Object.entries(relationships).flatMap(([name, relationship]) => {
    const target = isObject(relationship) ? relationship.data : undefined;
    return isObject(target) && typeof target.id === "string" ? [[`${name}-id`, target.id] as const] : [];
  });
  const attributes = isObject(data.attributes) ? data.attributes : {};
  return {
    ...Object.fromEntries(ids),
    ...withoutNulls(attributes),
    id: data.id ?? null,
    links: data.links ?? null,
  };
}

/** An attribute that is null says nothing, and does not hide a relationship of the same name. */
function withoutNulls(attributes: { [name: string]: Json }): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** When an object was made, as this service says it. */
export function createdAt(body: { readonly [member: string]: Json }): string | undefined {
  const at = body["created-at"];
  return typeof at === "string" ? at : undefined;
}

import type { HttpRequest, HttpResponse } from "../../provider/core/http/request";
import { formatJson, isObject, type Json } from "../../provider/core/value/json";
import type { World } from "./world";

/** Whether a response is a success. */
const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300;

/** Adds warnings to each success response, in the product's format. */
export function warning(world: World, texts: (request: HttpRequest) => readonly string[]): void {
  const { name } = world.connection.service;
  world.transformResponse = (request, answer) => {
    const warnings = isSuccess(answer) ? texts(request) : [];
    return warnings.length === 0 ? answer : FORMATS[name as keyof typeof FORMATS](answer, warnings);
  };
}

const FORMATS = {
  secrets: (answer: HttpResponse, warnings: readonly string[]) => {
    // A response with a warning has a body, and therefore a different status.
    const body = isObject(answer.json)
      ? { ...answer.json, warnings: [...warnings] }
      : {
          request_id: "r",
          lease_id: "",
          renewable: false,
          lease_duration: 0,
          data: null,
          wrap_info: null,
          warnings: [...warnings],
          auth: null,
        };
    return withBody(answer, body, 200);
  },
  scheduler: (answer: HttpResponse, warnings: readonly string[]) =>
    isObject(answer.json) ? withBody(answer, { ...answer.json, Warnings: warnings.join("\n") }) : answer,
  workspaces: inHeaders,
  mesh: inHeaders,
} as const;

function inHeaders(answer: HttpResponse, warnings: readonly string[]): HttpResponse {
  const warning = warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(", ");
  return { ...answer, headers: { ...answer.headers, warning } };
}

function withBody(answer: HttpResponse, json: Json, status = answer.status): HttpResponse {
  return { ...answer, status, json, text: formatJson(json) };
}

/** Vault's warning about parameters that an endpoint does not know. */
export const ignoring = (...names: string[]) =>
  `Endpoint ignored these unrecognized parameters: [${names.join(" ")}]`;

/** Vault's warning about parameters that are replaced by values from the path. */
export const replacing = (...names: string[]) =>
  `Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [${names.join(" ")}]`;

import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { StubRequest } from "../../service";
import { invalid, Refusal } from "./errors";

/** The single resource object of a request's body. */
export interface ResourceDocument {
  readonly type: string;
  readonly id: JsonValue | undefined;
  readonly attributes: JsonObject;
  readonly relationships: JsonObject;
}

/** "A request that carries a body uses `Content-Type: application/vnd.api+json`"; throws a 415 for another type. */
export function requireContentType(request: StubRequest): void {
  if (request.body.length === 0) return;
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/vnd.api+json") {
    throw new Refusal(415, [
      { status: "415", title: "unsupported media type", detail: "Use application/vnd.api+json." },
    ]);
  }
}

/** The body's resource object; throws a 422 unless it has one of the given types. */
export function readResource(request: StubRequest, ...types: readonly string[]): ResourceDocument {
  const data = readData(request);
  if (!isObject(data)) throw invalid({ pointer: "/data", detail: "data must be an object" });
  const { type, attributes = {}, relationships = {} } = data;
  if (typeof type !== "string" || !types.includes(type)) {
    throw invalid({ pointer: "/data/type", detail: `type must be ${types.join(" or ")}` });
  }
  if (!isObject(attributes)) {
    throw invalid({ pointer: "/data/attributes", detail: "attributes must be an object" });
  }
  if (!isObject(relationships)) {
    throw invalid({ pointer: "/data/relationships", detail: "relationships must be an object" });
  }
  return { type, id: data.id, attributes, relationships };
}

/** The body's list of resource objects; throws a 422 unless all have the given type. */
export function readResources(request: StubRequest, type: string): readonly JsonObject[] {
  return resourceList(readData(request), type, "/data");
}

/** A list of resource objects of one type, anywhere in a body. */
export function resourceList(
  data: JsonValue | undefined,
  type: string,
  pointer: string,
): readonly JsonObject[] {
  if (!Array.isArray(data)) throw invalid({ pointer, detail: "data must be an array" });
  return data.map((item: JsonValue, index) => {
    if (!isObject(item) || item.type !== type) {
      throw invalid({ pointer: `${pointer}/${index}/type`, detail: `type must be ${type}` });
    }
    return item;
  });
}

function readData(request: StubRequest): JsonValue | undefined {
  const body = readJson(request);
  if (!isObject(body)) throw invalid({ pointer: "", detail: "the body must be a JSON:API document" });
  return body.data;
}

/** The body as JSON; undefined if it is empty. */
export function readJson(request: StubRequest): JsonValue | undefined {
  if (request.body.length === 0) return undefined;
  // Parsed JSON consists of JSON values only.
  return request.json() as JsonValue;
}

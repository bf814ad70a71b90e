import type { StubResponse } from "../../service";
import { seconds } from "./durations";
import { invalid, JSON_TYPE } from "./errors";
import { isRecord } from "./fields";
import { answer, type Endpoint, type Operation } from "./operation";
import type { Switches } from "./settings";
import type { Wrapping } from "./world";

/** Vault's endpoints for wrapped responses; the specification has none. */
export function wrappingEndpoints({ dialect }: Switches): readonly Endpoint[] {
  if (dialect === "neutral") return [];
  return [
    { path: "sys/wrapping/lookup", parameters: ["token"], write: lookUp },
    { path: "sys/wrapping/unwrap", parameters: ["token"], write: unwrap },
  ];
}

/** Stores a response with a body under a token if the request asks for wrapping; returns only the token. */
export function wrapResponse(
  response: StubResponse,
  {
    request,
    path,
    world,
    switches,
    randomness,
  }: Pick<Operation, "request" | "world" | "switches" | "randomness"> & { readonly path: string },
): StubResponse {
  const asked = request.headers[`${switches.dialect === "real" ? "x-vault" : "x-secrets"}-wrap-ttl`];
  const ttl = typeof asked === "string" ? seconds(asked) : undefined;
  const { body } = response;
  if (ttl === undefined || ttl <= 0 || response.status !== 200 || !isRecord(body)) return response;
  const wrapping: Wrapping = {
    token: `wrap.${randomness.text(24)}`,
    accessor: randomness.text(24),
    path,
    wrappedAt: request.now,
    seconds: ttl,
    body,
  };
  world.wrappings.set(wrapping.token, wrapping);
  return {
    status: 200,
    headers: JSON_TYPE,
    body: {
      request_id: randomness.uuid(),
      lease_id: "",
      renewable: false,
      lease_duration: 0,
      data: null,
      wrap_info: {
        token: wrapping.token,
        accessor: wrapping.accessor,
        ttl,
        creation_time: new Date(request.now).toISOString(),
        creation_path: path,
      },
      warnings: null,
      auth: null,
    },
  };
}

function lookUp(operation: Operation): StubResponse {
  const { wrappedAt, seconds: ttl, path } = theWrapping(operation);
  return answer(operation, {
    creation_path: path,
    creation_time: new Date(wrappedAt).toISOString(),
    creation_ttl: ttl,
  });
}

/** Returns the wrapped response, once. */
function unwrap(operation: Operation): StubResponse {
  const { token, body } = theWrapping(operation);
  operation.world.wrappings.delete(token);
  return { status: 200, headers: JSON_TYPE, body };
}

function theWrapping({ fields, world, request }: Operation): Wrapping {
  const found = world.wrappings.get(fields.string("token") ?? "");
  if (found === undefined || request.now >= found.wrappedAt + found.seconds * 1000)
    throw invalid("wrapping token is not valid or does not exist");
  return found;
}

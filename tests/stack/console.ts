import type { Stub } from "../../testing/stub";

/** The response of a server to a request outside the stack. */
export interface Asked {
  readonly status: number;
  // Tests reach into documents whose shape they then assert; a wrong path is a failed expectation.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** Sends a request to a mock server with all permissions, and throws if the server returns an error. */
export type Ask = (
  service: keyof Stub["addresses"],
  method: string,
  path: string,
  body?: unknown,
) => Promise<Asked>;

/** The tokens with all permissions, by service. */
export const TOKENS = {
  workspaces: "workspaces-token",
  scheduler: "scheduler-token",
  secrets: "secrets-token",
  mesh: "mesh-token",
} as const;

/** Each token in the headers of both dialects; a stub ignores the header of the other dialect. */
export const HEADERS = {
  workspaces: { authorization: `Bearer ${TOKENS.workspaces}`, "content-type": "application/vnd.api+json" },
  scheduler: { "x-nomad-token": TOKENS.scheduler, "x-sched-token": TOKENS.scheduler },
  secrets: { "x-vault-token": TOKENS.secrets, "x-secrets-token": TOKENS.secrets },
  mesh: { "x-consul-token": TOKENS.mesh, "x-mesh-token": TOKENS.mesh },
} as const;

/** Another user at a console, with all four services of a stub. */
export function consoleOn(stub: Pick<Stub, "addresses"> & Partial<Pick<Stub, "dialect">>): Ask {
  return async (service, method, path, body) => {
    const ownPath = stub.dialect === "neutral" ? inNeutral(path) : path;
    const answer = await fetch(stub.addresses[service] + ownPath, {
      method,
      headers: { ...HEADERS[service], connection: "close" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 400 && answer.status !== 404)
      throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { status: answer.status, body: jsonIn(text) };
  };
}

/** A path of a product in the specification's vocabulary. */
function inNeutral(path: string): string {
  return path
    .replace(/^\/v1\/rabbitmq\//, "/v1/msgq/")
    .replace(/^\/v1\/aws\//, "/v1/cloud/")
    .replace("/mfa/method/okta", "/mfa/method/extidp");
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

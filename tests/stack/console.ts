import type { Stub } from "../../testing/stub";

/** What a service answered to somebody at a console. */
export interface Asked {
  readonly status: number;
  // Tests reach into documents whose shape they then assert; a wrong path is a failed expectation.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** Asks a control plane as somebody who may do everything, and fails where the service does. */
export type Ask = (
  service: keyof Stub["addresses"],
  method: string,
  path: string,
  body?: unknown,
) => Promise<Asked>;

/** The tokens that may do everything, by service. */
export const TOKENS = {
  workspaces: "workspaces-token",
  scheduler: "scheduler-token",
  secrets: "secrets-token",
  mesh: "mesh-token",
} as const;

/** Each token under its name in either dialect: a stub ignores the other one. */
export const HEADERS = {
  workspaces: { authorization: `Bearer ${TOKENS.workspaces}`, "content-type": "application/vnd.api+json" },
  scheduler: { "x-nomad-token": TOKENS.scheduler, "x-sched-token": TOKENS.scheduler },
  secrets: { "x-vault-token": TOKENS.secrets, "x-secrets-token": TOKENS.secrets },
  mesh: { "x-consul-token": TOKENS.mesh, "x-mesh-token": TOKENS.mesh },
} as const;

/** Another user at a console, with all four services of a stub. */
export function consoleOn(stub: Pick<Stub, "addresses"> & Partial<Pick<Stub, "dialect">>): Ask {
  return async (service, method, path, body) => {
    const spoken = stub.dialect === "neutral" ? inNeutral(path) : path;
    const answer = await fetch(stub.addresses[service] + spoken, {
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

/** A path of the products in the specification's words. */
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

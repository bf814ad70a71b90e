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

export const HEADERS = {
  workspaces: { authorization: `Bearer ${TOKENS.workspaces}`, "content-type": "application/vnd.api+json" },
  scheduler: { "x-sched-token": TOKENS.scheduler },
  secrets: { "x-secrets-token": TOKENS.secrets },
  mesh: { "x-mesh-token": TOKENS.mesh },
} as const;

/** Somebody at a console, with all four control planes of a stub. */
export function consoleOn(stub: Pick<Stub, "addresses">): Ask {
  return async (service, method, path, body) => {
    const answer = await fetch(stub.addresses[service] + path, {
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

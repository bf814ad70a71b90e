import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { StubControlError, type StubControls } from "../control";
import { BadRequest, type ServiceName } from "../service";
import { operationsOn } from "./control-operations";
import { formatExactly, parseExactly } from "./exact-json";
import { listen, whenClosed } from "./loopback";
import { readBody } from "./request-body";
import { Router } from "./router";

/** The mock servers' controls over HTTP, as JSON; `StubControl` is its client. */
export class ControlApi {
  readonly #operations: Router<ReturnType<typeof operationsOn>[number]>;
  readonly #server: Server;

  constructor(controls: StubControls, addresses: Readonly<Record<ServiceName, string>>) {
    this.#operations = new Router(operationsOn(controls, addresses));
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Returns the address; port 0 selects a free port. */
  start(port: number): Promise<string> {
    return listen(this.#server, port, "the stub's control");
  }

  async stop(): Promise<void> {
    const end = whenClosed(this.#server);
    this.#server.closeAllConnections();
    await end;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = (status: number, type: string, text: string) =>
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
    try {
      const result = await this.#answer(request);
      answer(200, "application/json", formatExactly(result ?? {}));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      answer(statusOf(error), "text/plain; charset=utf-8", message);
    }
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    refuseStrangers(request);
    const [path = "", search = ""] = (request.url ?? "").split(/\?(.*)/s);
    const found = this.#operations.find(request.method ?? "", path);
    if (found === undefined) throw new Refused(404, `the stub's control has no ${request.method} ${path}`);
    const body = request.method === "POST" ? await readJson(request) : undefined;
    return found.route.run({ service: found.params.service, query: new URLSearchParams(search), body });
  }
}

/** An HTTP request that the control API rejects. */
class Refused extends Error {
  override readonly name = "Refused";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function statusOf(error: unknown): number {
  if (error instanceof Refused) return error.status;
  return error instanceof StubControlError || error instanceof BadRequest ? 400 : 500;
}

/**
 * A fault can kill a process, so the control API rejects web pages. A form cannot send JSON, and a host name that resolves
 * to loopback is not allowed.
 */
function refuseStrangers({ headers, method }: IncomingMessage): void {
  const host = headers.host?.replace(/:\d+$/, "");
  if (host !== "127.0.0.1" && host !== "localhost") {
    throw new Refused(403, `the stub's control is reached as 127.0.0.1 or localhost, not as ${host}`);
  }
  if (headers.origin !== undefined) throw new Refused(403, "the stub's control is not for web pages");
  const isJson = /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");
  if (method === "POST" && !isJson) throw new Refused(415, "the body is to be application/json");
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, LARGEST_BODY);
  if (body === "too large") throw new Refused(413, `a body has at most ${LARGEST_BODY} bytes`);
  if (body === "aborted") throw new Refused(400, "the body did not arrive whole");
  try {
    return parseExactly(body.toString("utf8"));
  } catch {
    throw new Refused(400, "the body is not JSON");
  }
}

const LARGEST_BODY = 64 * 1024 * 1024;

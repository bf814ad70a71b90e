import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createListener, type Server } from "node:net";
import type { StubClock } from "../clock";
import type { StubService } from "../service";
import { asSent, Connection } from "./connection";
import { Delivery } from "./delivery";
import type { FaultBook } from "./fault-book";
import { handle } from "./handling";
import { listen, whenClosed } from "./loopback";
import { readBody } from "./request-body";
import type { RequestLog } from "./request-log";
import { ServiceDoor } from "./service-door";

/** The objects that the four mock servers share. */
export interface Surroundings {
  readonly clock: StubClock;
  readonly log: RequestLog;
  readonly faults: FaultBook;
}

/** One mock server on its own port. */
export class ControlPlane {
  readonly service: StubService;
  readonly #surroundings: Surroundings;
  readonly #door: ServiceDoor;
  readonly #listener: Server;
  readonly #connections = new Set<Connection>();
  readonly #stopping = new AbortController();

  constructor(service: StubService, surroundings: Surroundings) {
    this.service = service;
    this.#surroundings = surroundings;
    this.#door = new ServiceDoor(service, surroundings.clock);
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response);
    const http = createServer({ requireHostHeader: false }, serve);
    // Node handles `100-continue`; the server ignores any other expectation.
    http.on("checkExpectation", serve);
    this.#listener = createListener({ allowHalfOpen: true }, (socket) => {
      const connection = new Connection(socket);
      this.#connections.add(connection);
      connection.once("close", () => this.#connections.delete(connection));
      http.emit("connection", connection);
    });
  }

  /** Returns the address; port 0 selects a free port. */
  start(port: number): Promise<string> {
    return listen(this.#listener, port, `the ${this.service.name} service`);
  }

  /** Closes every connection, even during a request. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const end = whenClosed(this.#listener);
    for (const connection of this.#connections) connection.destroy();
    await end;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, log, faults } = this.#surroundings;
    const connection: unknown = message.socket;
    if (!(connection instanceof Connection))
      throw new TypeError("a request came past the stub's own listener");
    const delivery = new Delivery(response, connection);
    const body = await readBody(message, LARGEST_BODY);
    if (body === "aborted") return;
    if (body === "too large") {
      response.writeHead(413, { connection: "close" }).end();
      return;
    }
    const { method, headers } = asSent(message);
    const [path = "", search = ""] = (message.url ?? "").split(/\?(.*)/s);
    const query = new URLSearchParams(search);
    const arrived = { service: this.service.name, method, path, query, body };
    const entry = log.enter(arrived, headers, clock.now());
    const mishap = faults.meet(arrived);
    const stopping = this.#stopping.signal;
    const asked = { ...arrived, headers };
    try {
      log.complete(
        entry,
        await handle({ asked, mishap, entry, delivery, clock, stopping, door: this.#door }),
      );
    } catch (error) {
      // For example, HTTP cannot encode a header of a fault or a service. The response and the log contain the error.
      entry.exception = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.complete(entry, { isWhole: false, bytes: 0 });
      if (response.headersSent) connection.destroy();
      else response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(String(error));
    }
  }
}

const LARGEST_BODY = 64 * 1024 * 1024;

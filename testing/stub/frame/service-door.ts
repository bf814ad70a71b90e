import type { IncomingHttpHeaders } from "node:http";
import type { StubClock } from "../clock";
import {
  BadRequest,
  type StubRequest,
  type StubResponse,
  type StubRoute,
  type StubService,
} from "../service";
import { parseExactly } from "./exact-json";
import type { Arrived } from "./matching";
import { Router } from "./router";

/** A request to the service. */
export interface Asked extends Omit<Arrived, "service"> {
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
  readonly stale: boolean;
}

/** The service's response; `exception` if the service failed. */
export interface Answered {
  readonly response: StubResponse;
  readonly exception?: string;
}

/** Passes requests to one service: finds the route, and always returns a response. */
export class ServiceDoor {
  readonly #service: StubService;
  readonly #clock: StubClock;
  readonly #router: Router<StubRoute>;

  constructor(service: StubService, clock: StubClock) {
    this.#service = service;
    this.#clock = clock;
    this.#router = new Router(service.routes);
  }

  /** The smallest body in bytes that this service compresses. */
  get compressesFrom(): number | undefined {
    return this.#service.compressesFrom;
  }

  async ask({ method, path, query, headers, body, signal, stale }: Asked): Promise<Answered> {
    const clock = this.#clock;
    const now = clock.now();
    const json = () => readJson(body);
    const request: Omit<StubRequest, "params"> = {
      method,
      path,
      query,
      headers,
      body,
      json,
      now,
      clock,
      signal,
      stale,
    };
    try {
      const found = this.#router.find(method, path);
      if (found === undefined) return { response: this.#service.notFound(request) };
      return { response: await found.route.handle({ ...request, params: found.params }) };
    } catch (error) {
      if (error instanceof BadRequest) return { response: this.#service.badRequest(error.message) };
      const exception = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const text = `the stub's ${this.#service.name} service failed: ${error instanceof Error ? error.message : error}`;
      return { response: { status: 500, body: text }, exception };
    }
  }
}

function readJson(body: Buffer): unknown {
  try {
    return parseExactly(body.toString("utf8"));
  } catch {
    throw new BadRequest(body.length === 0 ? "the body is empty, not JSON" : "the body is not JSON");
  }
}

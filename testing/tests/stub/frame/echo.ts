import { StubClock } from "../../../stub/clock";
import type { StubControls } from "../../../stub/control";
import { ControlDesk } from "../../../stub/frame/control-desk";
import { ControlPlane } from "../../../stub/frame/control-plane";
import { FaultBook } from "../../../stub/frame/fault-book";
import { type LogBounds, RequestLog } from "../../../stub/frame/request-log";
import type { StubRequest, StubResponse, StubRoute, StubService } from "../../../stub/service";

/** A service that returns the request, stores one value, and can delay a response. */
export class EchoService implements StubService {
  readonly dialect = "real";
  readonly name = "mesh";
  value = "first";
  before = "first";
  /** The stub's time at which each delayed request ended, and whether the caller had disconnected. */
  readonly waited: { readonly time: number; readonly isGone: boolean }[] = [];
  readonly #ended = new Set<() => void>();
  readonly routes: readonly StubRoute[] = [
    ...["GET", "LIST", "POST", "PUT", "DELETE", "LINK"].map((method) =>
      route(method, "/echo/:path*", (request) => ({ status: 200, body: describeRequest(request) })),
    ),
    route("GET", "/item/:id", ({ params }) => ({ status: 200, body: { item: params.id } })),
    route("GET", "/item/:id/part/:part", ({ params }) => ({ status: 200, body: params })),
    route("GET", "/item/special", () => ({ status: 200, body: { item: "the special one" } })),
    route("PUT", "/value", (request) => {
      this.before = this.value;
      this.value = request.body.toString();
      return { status: 200, body: true };
    }),
    route("GET", "/value", ({ stale }) => ({
      status: 200,
      body: { value: stale ? this.before : this.value },
    })),
    route("POST", "/json", (request) => ({ status: 200, body: { got: request.json() } })),
    route("GET", "/text", () => ({
      status: 200,
      headers: { "Content-Type": "text/odd" },
      body: "as it stands",
    })),
    route("DELETE", "/nothing", () => ({ status: 204 })),
    route("GET", "/long", () => ({ status: 200, body: { long: "x".repeat(5000) } })),
    route("GET", "/integers", () => ({ status: 200, body: { hash: 18446744073709551615n, list: [1n, 2] } })),
    route("GET", "/broken", () => {
      throw new Error("a bug in the service");
    }),
    route("GET", "/odd-header", () => ({ status: 200, headers: { odd: "two\nlines" } })),
    route("GET", "/wait/:milliseconds", async ({ params, now, clock, signal }) => {
      await clock.until(now + Number(params.milliseconds), signal);
      this.waited.push({ time: clock.now(), isGone: signal.aborted });
      for (const notify of this.#ended) notify();
      return { status: 200, body: { waited: clock.now() - now } };
    }),
  ];

  notFound({ method, path }: Omit<StubRequest, "params">): StubResponse {
    return { status: 404, body: `no ${method} ${path}` };
  }

  badRequest(message: string): StubResponse {
    return { status: 400, body: `bad: ${message}` };
  }

  configure(): void {}
  seed(): void {}
  dump(): unknown {
    return { value: this.value };
  }
  reset(): void {}

  /** Resolves when a request to `/wait` has ended. */
  async ended(): Promise<void> {
    if (this.waited.length > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended.add(resolve);
    await promise;
  }
}

/** The echo service on a port, with its controls. */
export interface EchoScene {
  readonly service: EchoService;
  readonly address: string;
  readonly port: number;
  readonly clock: StubClock;
  readonly controls: StubControls;
  readonly plane: ControlPlane;
}

export const START = 1_000_000;

/** Runs a test against an echo service; only the test advances its clock. */
export async function withEcho(
  run: (scene: EchoScene) => Promise<void>,
  bounds: Partial<LogBounds> = {},
): Promise<void> {
  const service = new EchoService();
  const clock = new StubClock(() => START);
  const surroundings = { clock, log: new RequestLog(bounds), faults: new FaultBook() };
  const plane = new ControlPlane(service, surroundings);
  const controls = new ControlDesk([service], surroundings);
  const address = await plane.start(0);
  try {
    await run({ service, address, port: Number(new URL(address).port), clock, controls, plane });
  } finally {
    await plane.stop();
  }
}

function route(method: string, path: string, handle: StubRoute["handle"]): StubRoute {
  return { method, path, section: "none", handle };
}

function describeRequest({ method, path, params, query, headers, body }: StubRequest) {
  return { method, path, params, query: [...query], headers, body: body.toString("latin1") };
}

import { StubClock } from "../../stub/clock";
import { formatExactly } from "../../stub/frame/exact-json";
import { BadRequest, type StubResponse, type StubRoute, type StubService } from "../../stub/service";
import { record } from "./recording";

/** A request of a test: the body is sent as JSON, with the content type of `headers`. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly now?: number;
  /** Replaces `now` for a response that waits. */
  readonly clock?: StubClock;
  readonly signal?: AbortSignal;
  readonly stale?: boolean;
  /** The resource or function that sends the request, if it is not a test. */
  readonly by?: string;
}

/** The response of a service, with its body as a client would parse it. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent, with every integer exact. */
  readonly text: string;
  /** The same body as bytes. */
  readonly bytes: Buffer;
  // Tests read fields of documents whose shape they then assert; a wrong path is a failed expectation.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** Sends a request to a stub service without a server, through the same routes. */
export async function send(
  service: StubService,
  method: string,
  target: string,
  {
    headers = {},
    body,
    now = 0,
    clock = new StubClock(() => now),
    signal = new AbortController().signal,
    stale = false,
    by = "",
  }: Sent = {},
): Promise<Answered> {
  const { pathname, searchParams: query } = new URL(target, "http://stub.invalid");
  record(service.name, method, target, by);
  const buffer = Buffer.isBuffer(body)
    ? body
    : Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body));
  const request = {
    method,
    path: pathname,
    query,
    headers: { host: "stub.invalid", ...headers },
    body: buffer,
    now: clock.now(),
    clock,
    signal,
    stale,
    json: () => parse(buffer),
  };
  const found = match(service.routes, method, pathname);
  const response =
    found === undefined
      ? service.notFound(request)
      : await found.route.handle({ ...request, params: found.params });
  const own = Buffer.isBuffer(response.body) ? response.body : undefined;
  const text = own?.toString() ?? textOf(response);
  return {
    status: response.status,
    headers: response.headers ?? {},
    text,
    bytes: own ?? Buffer.from(text),
    body: typeof response.body === "object" && own === undefined ? JSON.parse(text) : response.body,
  };
}

/** Expects a response with this status and, if a body is given, exactly this body. */
export async function answers(
  sent: Promise<Pick<Answered, "status" | "body">>,
  status: number,
  body?: unknown,
): Promise<void> {
  const answer = await sent;
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: body ?? answer.body });
}

function parse(buffer: Buffer): unknown {
  try {
    return JSON.parse(buffer.toString("utf8"));
  } catch {
    throw new BadRequest("the body is not JSON");
  }
}

function textOf({ body }: StubResponse): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : formatExactly(body);
}

function match(routes: readonly StubRoute[], method: string, path: string) {
  for (const route of routes) {
    const params = route.method === method ? paramsOf(route.path, path) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const parts = path.split("/");
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.split("/").entries()) {
    if (segment.endsWith("*")) {
      params[segment.slice(1, -1)] = parts.slice(index).map(decodeURIComponent).join("/");
      return params;
    }
    const part = parts[index];
    if (part === undefined) return undefined;
    if (segment.startsWith(":")) params[segment.slice(1)] = decodeURIComponent(part);
    else if (segment !== part) return undefined;
  }
  return parts.length === pattern.split("/").length ? params : undefined;
}

import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Client } from "../../provider/core/http/client";
import { describeUnexpected } from "../../provider/core/http/describe";
import { type AttemptFacts, type ErrorKind, serviceError } from "../../provider/core/http/errors";
import type { ClientOptions, Runtime } from "../../provider/core/http/options";
import type { MessageFacts } from "../../provider/core/http/remedies";
import type { HttpRequest, HttpResponse } from "../../provider/core/http/request";
import { assertRepeatable, NotSent } from "../../provider/core/http/retry";
import type { CommandWrites } from "../../provider/core/language/commandWrites";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Connection } from "../../provider/core/language/service";
import { connect } from "../../provider/core/requests/connection";
import type { Configuration } from "../../provider/core/requests/given";
import { formatJson, type Json, parseJson } from "../../provider/core/value/json";
import type { StubClock } from "../../testing/stub/clock";
import type { StubService } from "../../testing/stub/service";
import { send as sendToStub } from "../../testing/tests/stub/in-process";
import type { Message } from "../faults/claims";
import { inDialect, noteStart } from "./userRequest";

/** The possible fates of a request. */
export type Fate =
  | "passes"
  | "request lost"
  | "response lost"
  /** There is no response in time, and the request is not applied, or not yet. */
  | "request hangs"
  /** The request is applied, and there is no response in time. */
  | "response hangs"
  /** A rate limit delays it: the client does not send a write whose read is too old by then. */
  | "waits"
  | Instead;

/** A proxy's response in place of the service's. */
export interface Instead {
  readonly answer: { readonly status: number; readonly text: string };
  readonly isCarriedOut: boolean;
}

/** The connection settings and the clock that a real server needs. */
interface Reached {
  readonly reached?: { readonly settings: Values; readonly runtime: Runtime };
}

/** A different transport and clock for requests to the service. */
export interface Transport {
  readonly runtime?: Runtime;
  readonly createClient?: (options: ClientOptions) => Client;
  readonly beforeEnd?: (task: () => Promise<unknown>) => void;
}

/** A mock server in this process and a connection to it, with the same routes and without sockets. */
export class World {
  readonly requests: HttpRequest[] = [];
  readonly logged: string[] = [];
  /** The same messages, with what they report as data. */
  readonly notices: Message[] = [];
  readonly connection: Connection;
  now = Date.UTC(2030, 0, 1);
  /** The stub's clock if a test advances it; otherwise the time is `now`. */
  clock: StubClock | undefined;
  /** The writes of the command, if a test runs several at the same time. */
  writes: CommandWrites | undefined;
  /** Decides the fate of each request; it can also act as another user before the request. */
  fate: (request: HttpRequest) => Fate | Promise<Fate> = () => "passes";
  onResponse: (request: HttpRequest, answer: HttpResponse) => void | Promise<void> = () => undefined;
  /** The request as the service receives it. */
  transformRequest: (request: HttpRequest) => HttpRequest = (request) => request;
  /** The service's response, if it differs from the stub's. */
  transformResponse: (request: HttpRequest, answer: HttpResponse) => HttpResponse = (_, answer) => answer;
  /** Runs while the provider waits; the clock advances only if a test does so. */
  onSleep: (milliseconds: number) => void | Promise<void> = () => undefined;
  /** The headers of the provider's requests. */
  private own: Readonly<Record<string, string>> = {};

  constructor(
    readonly stub: StubService & Reached,
    private readonly definition: Pick<AnyDefinition, "service">,
    private readonly settings: Values,
    private readonly way: Transport = {},
  ) {
    noteStart(stub);
    const { service } = definition;
    const config: Configuration = {
      get: (key) =>
        key === `quarterdeck:${service.name}`
          ? formatJson({
              address: "http://stub.invalid",
              dialect: stub.dialect,
              ...stub.reached?.settings,
              ...settings,
            })
          : undefined,
      env: {},
    };
    this.connection = connect(service, undefined, config, {
      runtime: way.runtime ??
        stub.reached?.runtime ?? {
          now: () => this.clock?.now() ?? this.now,
          sleep: async (milliseconds) => this.onSleep(milliseconds),
          after: () => () => undefined,
          random: () => 0.5,
        },
      userAgent: "test",
      warn: (message) => this.log(message),
      ...(way.beforeEnd && { beforeEnd: way.beforeEnd }),
      createClient: (options) => way.createClient?.(options) ?? this.client(options.headers),
    });
  }

  log(text: string, facts: MessageFacts = {}): void {
    this.logged.push(text);
    this.notices.push({ text, facts });
  }

  /** A second connection to the same service, with its own log and fates. */
  another(): World {
    return this.with({});
  }

  /** A second connection to the same service, with different settings. */
  with(settings: Values): World {
    return new World(this.stub, this.definition, { ...this.settings, ...settings }, this.way);
  }

  /** A connection to the same service by a different transport, without fates and without recorded requests. */
  by(way: Transport): World {
    return new World(this.stub, this.definition, this.settings, way);
  }

  /** Sends a request as another user, with the specification's names. */
  send(
    method: string,
    path: string,
    body?: Json,
    headers: Record<string, string> = {},
    more: { signal?: AbortSignal | undefined; by?: string } = {},
  ): Promise<HttpResponse> {
    const isStub = this.stub.reached === undefined;
    const spoken = isStub ? inDialect({ path, headers }, this.stub) : { path, headers };
    return this.deliver(method, spoken.path, body, spoken.headers, more);
  }

  /** Delivers a request of any user to the service. */
  async deliver(
    method: string,
    path: string,
    body: Json | undefined,
    headers: Readonly<Record<string, string>>,
    {
      signal,
      by,
      content,
      hashes,
    }: { signal?: AbortSignal | undefined; by?: string; content?: Buffer | undefined; hashes?: boolean },
  ): Promise<HttpResponse> {
    const answered = await sendToStub(this.stub, method, path, {
      headers,
      ...(this.clock ? { clock: this.clock } : { now: this.now }),
      ...(body !== undefined && { body: formatJson(body) }),
      ...(content && { body: content }),
      ...(signal && { signal }),
      // A request without an author is another user's.
      by: by ?? "a person",
    });
    const isHashed = hashes && answered.status < 300;
    const text = isHashed ? createHash("sha256").update(answered.bytes).digest("hex") : answered.text;
    return { status: answered.status, headers: answered.headers, text, json: jsonIn(text), attempts: 1 };
  }

  /** Applies one of the provider's requests, at any time. The caller gets the response, and the step does not. */
  carryOut(sent: HttpRequest): Promise<HttpResponse> {
    const request = this.transformRequest(sent);
    const by = request.label.definition;
    if (request.url !== undefined) {
      const { host, pathname, search } = new URL(request.url);
      const content = request.file && readFileSync(request.file.path);
      const hashes = request.expect === "digest";
      return this.deliver(request.method, pathname + search, undefined, { host }, { by, content, hashes });
    }
    const at = request.server ?? this.connection.settings.address;
    const headers = {
      ...(typeof at === "string" && { host: new URL(at).host }),
      ...lowerCased(this.own),
      ...lowerCased(request.headers ?? {}),
      ...(request.body !== undefined && { "content-type": request.contentType ?? "application/json" }),
    };
    const { method, signal } = request;
    return this.deliver(method, target(request), request.body, headers, { signal, by });
  }

  private async sendOnce(request: HttpRequest): Promise<HttpResponse> {
    const { deadline } = request;
    if (request.signal?.aborted) throw canceled(request, false);
    if (deadline !== undefined && deadline <= this.connection.runtime.now()) throw overdue(request);
    // Requests about the state of the cluster are not part of a step.
    const { prefix } = this.connection.service;
    const { cluster, replication } = this.connection.dialect;
    const questions = [...(cluster ? [cluster.active] : []), ...(replication?.asked ?? [])];
    if (questions.some(({ path }) => request.path === prefix + path)) return this.carryOut(request);
    this.requests.push(request);
    const fate = await this.fate(request);
    if (fate === "request lost" || fate === "request hangs") throw unclear(request, fate);
    if (fate === "waits" && request.freshUntil !== undefined) throw new NotSent();
    const instead = typeof fate === "string" ? undefined : fate;
    if (instead?.isCarriedOut === false) return answeredInstead(request, instead);
    const answer = await Promise.race([this.carryOut(request), cancel(request)]);
    await this.onResponse(request, answer);
    if (fate === "response lost" || fate === "response hangs") throw unclear(request, fate);
    return instead === undefined
      ? this.transformResponse(request, answer)
      : answeredInstead(request, instead);
  }

  private client(own: Readonly<Record<string, string>>): Client {
    this.own = own;
    return {
      close: async () => undefined,
      send: async (request) => {
        const attempts = request.attempts ?? { count: 0 };
        for (;;) {
          const answer = await this.sendOnce(request);
          attempts.count += 1;
          if (attempts.count >= MOST_ATTEMPTS || !request.repeatWhile?.(answer)) return answer;
          assertRepeatable(request, answer);
        }
      },
    };
  }
}

/** The maximum number of attempts of a request whose response asks to wait. */
const MOST_ATTEMPTS = 10;

function lowerCased(headers: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(", ")]),
  );
}

const ids = new WeakMap<HttpRequest, string>();

/** The ID that the HTTP client sends with each attempt of a request. */
export function idOf(request: HttpRequest): string {
  const id = request.attempts?.id ?? ids.get(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}

/** The HTTP client's error of a request. Its text omits the request's ID, so that each run has the same text. */
function failed(
  request: HttpRequest,
  kind: ErrorKind,
  facts: AttemptFacts & { readonly attempts?: number },
): Error {
  const { method, path } = request;
  const error = serviceError(kind, { service: "stub", method, path, attempts: 1, ...facts });
  return Object.assign(error, { ids: { own: idOf(request) } });
}

function unclear(request: HttpRequest, fate: string): Error {
  const { nature } = request;
  const hangs = fate.endsWith("hangs");
  const isRead = nature === "read";
  return failed(request, isRead ? (hangs ? "timedOut" : "connectionLost") : "unclearAnswer", {
    event: hangs ? "was not answered in time" : "lost its connection",
    advice: "Look.",
    outcome: isRead ? "notApplied" : hangs || nature === "single-use" ? "inFlight" : "unknown",
  });
}

/** The result of the HTTP client for a proxy's response. */
function answeredInstead(request: HttpRequest, { answer: { status, text } }: Instead): HttpResponse {
  const answer: HttpResponse = { status, headers: {}, text, json: jsonIn(text), attempts: 1 };
  const unexpected = describeUnexpected(answer, request);
  if (unexpected === undefined) return answer;
  const outcome = request.nature === "read" ? "notApplied" : "unknown";
  throw failed(request, "unexpectedAnswer", { status, outcome, ...unexpected });
}

/** The HTTP client's error for a request after its deadline. */
function overdue(request: HttpRequest): Error {
  return failed(request, "timedOut", { event: "ran out of time", advice: "Give it more.", attempts: 0 });
}

/** Rejects like the HTTP client if a request in flight is canceled; otherwise it stays pending. */
function cancel(request: HttpRequest): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(canceled(request, true));
    if (request.signal?.aborted) give();
    request.signal?.addEventListener("abort", give, { once: true });
  });
}

function canceled(request: HttpRequest, isUnderWay: boolean): Error {
  return failed(request, "canceled", {
    event: "was canceled",
    advice: "",
    attempts: isUnderWay ? 1 : 0,
    outcome: isUnderWay && request.nature !== "read" ? "inFlight" : "notApplied",
  });
}

function target({ path, query = {} }: HttpRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) =>
        one === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(one)}`],
      ),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

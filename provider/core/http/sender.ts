import { MOST_TEXT, type Redactor } from "../../../packages/redact";
import { toError } from "../value/error";
import { formatJson, type Json, parseJson } from "../value/json";
import { type BaseUrl, isLoopback, parseBaseUrl, urlSecrets } from "./baseUrl";
import { ACCEPTED_ENCODINGS } from "./decode";
import { serviceId } from "./errors";
import { type Destination, exchange, MOST_REDIRECTS, type RawAnswer, redirectOf } from "./exchange";
import type { CompleteOptions } from "./options";
import type { HttpAnswer, HttpRequest } from "./request";
import { headerSecrets, isSecretHeader } from "./secretHeaders";
import type { TimeBudget } from "./timeBudget";
import { type Span, spanIn, type TraceContext, traceIn } from "./traceContext";
import { proxyNameFor, proxyVariable, Transport, unusable } from "./transport";
import type { ErrorContext } from "./unconnected";

/** One attempt at a request. */
export interface Attempt {
  readonly request: HttpRequest;
  /** 1 for the first. */
  readonly number: number;
  readonly id: string;
  /** The attempt's span in its trace. */
  readonly span: Span | undefined;
  readonly timeBudget: TimeBudget;
  readonly redactor: Redactor;
}

/** Sends single attempts: adds the address, the token and the other headers, and follows redirects. */
export class Sender {
  /** All secrets of the client, which must not appear in any text. */
  readonly secrets: readonly string[];
  readonly redactor: Redactor;
  readonly #transport: Transport;
  readonly #trace: TraceContext | undefined;
  #warned = false;

  constructor(private readonly settings: CompleteOptions) {
    this.secrets = secretsOf(settings);
    const { tls, env, maxConnections, timeoutMs, redactor } = settings;
    this.redactor = redactor;
    redactor.add(this.secrets);
    this.#trace = traceIn(env);
    this.#transport = new Transport({
      tls,
      env,
      redactor,
      maxConnections,
      connectTimeoutMs: Math.min(timeoutMs, 10_000),
    });
  }

  /** The origin, the proxy and the client certificate of a request, for messages. */
  way({ server }: HttpRequest): Pick<ErrorContext, "origin" | "proxy" | "ownCertificate"> {
    const { env, tls } = this.settings;
    const address = server ?? this.settings.address;
    const ownCertificate = tls.clientCertFile !== undefined;
    if (!URL.canParse(address)) return { origin: "the address", proxy: undefined, ownCertificate };
    const url = new URL(address);
    return { origin: url.origin, proxy: proxyNameFor(url, env), ownCertificate };
  }

  /** A new span for one attempt; undefined if the request belongs to no trace. */
  spanOf({ label }: HttpRequest): Span | undefined {
    const trace = label.trace ?? this.#trace;
    return trace && spanIn(trace);
  }

  /**
   * Sends once and follows the redirects that may be followed.
   * @throws ExchangeFailure
   */
  async attempt(attempt: Attempt): Promise<HttpAnswer> {
    const { request } = attempt;
    const address = this.#address(request);
    this.#warnOfPlainHttp(address.url, request);
    let to: Destination = {
      url: address.url,
      target: address.basePath + checkedPath(request.path) + queryOf(request.query),
      method: request.method,
    };
    for (let redirects = 0; ; redirects += 1) {
      const raw = await this.#exchange(attempt, to, address);
      const next = redirectOf(to, request, raw);
      if (next === undefined || redirects === MOST_REDIRECTS) return this.#answer(attempt, raw, to);
      to = next;
    }
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #address({ server = this.settings.address }: HttpRequest): BaseUrl {
    try {
      return parseBaseUrl(server);
    } catch (error) {
      throw unusable(toError(error).message);
    }
  }

  async #exchange(
    { request, id, span, timeBudget }: Attempt,
    to: Destination,
    address: BaseUrl,
  ): Promise<RawAnswer> {
    const { timeoutMs, maxResponseBytes, runtime } = this.settings;
    const { timeoutMs: ownTimeoutMs = timeoutMs } = request;
    const pool = this.settings.dispatcher ?? (await this.#transport.poolFor(to.url));
    const body = request.body === undefined ? undefined : formatJson(request.body);
    return exchange(pool, {
      ...to,
      headers: {
        ...this.#plainHeaders(request, id),
        ...span?.headers,
        ...this.#ownHeaders(request, address, body !== undefined),
      },
      body,
      timeoutMs: ownTimeoutMs,
      runtime,
      maxResponseBytes,
      signal: timeBudget.signal,
    });
  }

  /** Headers that do not identify the caller. */
  #plainHeaders({ expect = "json", contentType }: HttpRequest, id: string): Record<string, string> {
    const json = contentType === undefined ? "application/json" : `${contentType}, application/json;q=0.9`;
    return {
      accept: expect === "json" ? json : "*/*",
      "accept-encoding": ACCEPTED_ENCODINGS,
      "user-agent": this.settings.userAgent,
      "x-request-id": id,
    };
  }

  #ownHeaders(request: HttpRequest, { authorization }: BaseUrl, hasBody: boolean): Headers {
    return {
      ...(authorization !== undefined && { authorization }),
      ...(hasBody && { "content-type": request.contentType ?? "application/json" }),
      ...lowerCased(this.settings.headers),
      ...lowerCased(request.headers ?? {}),
    };
  }

  #answer({ number, redactor, id }: Attempt, raw: RawAnswer, to: Destination): HttpAnswer {
    const isRefusal = raw.status < 200 || raw.status > 299;
    const json = jsonOf(raw.text);
    const said =
      serviceId(this.settings.requestIdIn?.({ json }), id) ?? serviceId(raw.headers["x-request-id"], id);
    return {
      ...raw,
      // Limits the text of an error response before anything quotes or searches it.
      text: isRefusal ? raw.text.slice(0, MOST_TEXT) : raw.text,
      json,
      attempts: number,
      ids: { own: id, ...(said !== undefined && { service: redactor.mask(said) }) },
      url: to.url.origin + to.target.split("?", 1)[0],
      mask: (text) => redactor.mask(text),
    };
  }

  #warnOfPlainHttp(url: URL, { headers = {} }: HttpRequest): void {
    const hasSecret = this.secrets.length > 0 || Object.keys(headers).some(isSecretHeader);
    if (this.#warned || url.protocol !== "http:" || isLoopback(url) || !hasSecret) return;
    this.#warned = true;
    this.settings.warn(
      `${this.settings.service}: the token goes to ${url.origin} over plain http, where everybody on the way can read it; ` +
        "use https.",
    );
  }
}

function secretsOf({ headers, address, env }: CompleteOptions): string[] {
  const inHeaders = Object.entries(headers).filter(([name]) => isSecretHeader(name));
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY"].map((name) => proxyVariable(env, name));
  return [
    ...inHeaders.flatMap(([, value]) => headerSecrets(value)),
    ...[address, ...proxies].flatMap(urlSecrets),
  ];
}

function checkedPath(path: string): string {
  // Paths from the `path` tag are always valid. This checks paths that were built by hand.
  const isFine = /^\/[^?#\s]*$/.test(path) && !/\/(\.|%2e){1,2}(\/|$)/i.test(path);
  if (!isFine) throw unusable(`the path ${JSON.stringify(path)} would lead elsewhere`);
  return path;
}

function queryOf(query: HttpRequest["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

type Headers = Readonly<Record<string, string | string[]>>;

function lowerCased(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function jsonOf(text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

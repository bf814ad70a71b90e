import { Readable } from "node:stream";
import { MOST_TEXT } from "../../../packages/redact";
import { toError } from "../value/error";
import { unchangedContent } from "../value/fileDigest";
import { formatJson, type Json, parseJson } from "../value/json";
import { ACCEPTED_ENCODINGS, decodeBody } from "./decode";
import { describeFailure, outcomeOfFailure } from "./describeFailure";
import {
  type AttemptFacts,
  type ErrorKind,
  oneLine,
  type ServiceError,
  serviceError,
  serviceId,
} from "./errors";
import { type Exchange, type ExchangeFailure, exchange, unusable } from "./exchange";
import type { CompleteOptions } from "./options";
import { type HttpRequest, type HttpResponse, isSuccess } from "./request";
import type { Attempt } from "./requestLog";
import { proxyNameFor, proxyVariable, Transport } from "./transport";
import {
  checkedPath,
  type Destination,
  isLoopback,
  MOST_REDIRECTS,
  parseBaseUrl,
  queryText,
  redirectOf,
  secretsInHeaders,
  urlSecrets,
} from "./urls";

/** Sends single attempts: adds the address, the token and the other headers, and follows redirects. */
export class Sender {
  readonly #transport: Transport;
  readonly #hasSecrets: boolean;
  #hasWarned = false;

  constructor(private readonly settings: CompleteOptions) {
    const { address, env, headers, redactor } = settings;
    const proxies = ["HTTP_PROXY", "HTTPS_PROXY"].map((name) => proxyVariable(env, name));
    const secrets = [...secretsInHeaders(headers), ...[address, ...proxies].flatMap(urlSecrets)];
    this.#hasSecrets = secrets.length > 0;
    redactor.add(secrets);
    this.#transport = new Transport(settings);
  }

  /**
   * Sends once and follows the redirects that may be followed.
   * @throws ExchangeFailure
   */
  async attempt(attempt: Attempt, signal: AbortSignal): Promise<HttpResponse> {
    const { request } = attempt;
    const { dispatcher, timeoutMs, maxResponseBytes, runtime } = this.settings;
    const { destination, authorization } = this.#destinationOf(request);
    this.#warnOfPlainHttp(destination.url, request);
    const body = request.body === undefined ? bodyOf(request) : formatJson(request.body);
    const headers =
      request.url === undefined
        ? {
            ...this.#plainHeaders(request, attempt.id),
            ...attempt.span?.headers,
            ...(authorization !== undefined && { authorization }),
            ...(body !== undefined && { "content-type": request.contentType ?? "application/json" }),
            ...lowerCased(this.settings.headers),
            ...lowerCased(request.headers ?? {}),
          }
        : { "user-agent": this.settings.userAgent, accept: "*/*", ...fileHeaders(request) };
    let to = destination;
    for (let redirects = 0; ; redirects += 1) {
      const raw = await exchange(
        dispatcher ?? (await this.#transport.poolFor(to.url, request.url !== undefined)),
        {
          ...to,
          headers,
          body,
          timeoutMs: request.timeoutMs ?? timeoutMs,
          runtime,
          maxResponseBytes,
          signal,
          hashes: request.expect === "digest",
        },
      );
      const text =
        raw.sha256 ?? (await decodeBody(raw.body, raw.headers["content-encoding"], maxResponseBytes));
      const next = redirects === MOST_REDIRECTS ? undefined : redirectOf(to, request, raw);
      if (next === undefined) return this.#answer(attempt, { ...raw, text }, to);
      to = next;
    }
  }

  /** The error of an attempt that got no response. */
  failureOf(attempt: Attempt, failure: ExchangeFailure): ServiceError {
    const { env, tls, maxResponseBytes } = this.settings;
    const { nature, url: exactly, timeoutMs = this.settings.timeoutMs } = attempt.request;
    const { server = exactly ?? this.settings.address } = attempt.request;
    const url = URL.canParse(server) ? new URL(server) : undefined;
    const context = {
      origin: url?.origin ?? "the address",
      proxy: url && proxyNameFor(url, env),
      ownCertificate: tls.clientCertFile !== undefined,
      timeoutMs,
      maxResponseBytes,
    };
    const { kind, outcome } = outcomeOfFailure(nature, failure);
    const code = failure.code === undefined ? {} : { code: failure.code };
    return this.errorOf(attempt, kind, { outcome, ...code, ...describeFailure(failure, context) });
  }

  /** The error of an attempt, with external text masked. */
  errorOf({ request, number, id, redactor }: Attempt, kind: ErrorKind, facts: AttemptFacts): ServiceError {
    const mask = (text: string) => redactor.mask(text);
    return serviceError(kind, {
      service: this.settings.service,
      method: request.method,
      path: mask(request.path),
      attempts: number,
      ids: { own: id },
      ...facts,
      event: oneLine(mask(facts.event)),
      words: oneLine(mask(facts.words ?? "")),
      advice: mask(facts.advice),
    });
  }

  /** Closes the connections after the requests in progress have ended. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  #destinationOf({ server = this.settings.address, method, path, query, url: exactly }: HttpRequest) {
    try {
      if (exactly !== undefined) return { destination: exactDestination(exactly, method) };
      const { url, basePath, authorization } = parseBaseUrl(server);
      const destination: Destination = {
        url,
        target: basePath + checkedPath(path) + queryText(query),
        method,
      };
      return { destination, authorization };
    } catch (error) {
      throw unusable(toError(error).message);
    }
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

  #answer(
    { request, number, redactor, id }: Attempt,
    { status, headers, text }: Pick<HttpResponse, "status" | "headers" | "text">,
    to: Destination,
  ): HttpResponse {
    const json = jsonOf(text);
    const said =
      serviceId(this.settings.requestIdIn?.({ json }), id) ?? serviceId(headers["x-request-id"], id);
    return {
      status,
      headers,
      // Limits the text of an error response before anything quotes or searches it.
      text: isSuccess({ status }) ? text : text.slice(0, MOST_TEXT),
      json,
      attempts: number,
      ids: { own: id, ...(said !== undefined && { service: redactor.mask(said) }) },
      url: to.url.origin + (request.url === undefined ? to.target.split("?", 1)[0] : request.path),
      mask: (quoted) => redactor.mask(quoted),
    };
  }

  #warnOfPlainHttp(url: URL, { headers = {} }: HttpRequest): void {
    const hasSecret = this.#hasSecrets || secretsInHeaders(headers).length > 0;
    if (this.#hasWarned || url.protocol !== "http:" || isLoopback(url) || !hasSecret) return;
    this.#hasWarned = true;
    this.settings.warn(
      `${this.settings.service}: the token is sent to ${url.origin} over plain http, so others on the network can read the token: ` +
        "use https.",
    );
  }
}

/** The content of the request's file, as often as it is sent. */
function bodyOf({ file }: HttpRequest): Exchange["body"] {
  return file && (() => Readable.from(unchangedContent(file.path, file.sha256), { objectMode: false }));
}

/** The digest of a response is that of its body as sent, so the response must not be compressed. */
function fileHeaders({ file, expect }: HttpRequest): Headers {
  return {
    "accept-encoding": expect === "digest" ? "identity" : ACCEPTED_ENCODINGS,
    ...(file && { "content-type": "application/octet-stream", "content-length": String(file.size) }),
  };
}

/** @throws TypeError for a URL to which nothing can be sent */
function exactDestination(text: string, method: Destination["method"]): Destination {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new TypeError("the server returned a URL that is not an http or https URL");
  return { url, target: url.pathname + url.search, method };
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

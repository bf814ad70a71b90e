import { Redactor } from "../../../packages/redact";
import { describeUnexpected } from "./describe";
import { RATE_LIMIT } from "./describeFailure";
import { ServiceError, TimedOut } from "./errors";
import { ExchangeFailure } from "./exchange";
import { Gate, type QueuePriority, TimeBudget } from "./gate";
import { type ClientOptions, type CompleteOptions, withDefaults } from "./options";
import { Attempts, type HttpRequest, type HttpResponse } from "./request";
import { type Attempt, attemptLine, newSpan, traceIn } from "./requestLog";
import { delayAfter, isLate, isRepeatable, NotSent, restOfTime } from "./retry";
import { Sender } from "./sender";
import { secretsInHeaders } from "./urls";

/** An HTTP client for one service. */
export interface Client {
  /**
   * Sends a request and returns the response of any status, after the retries that its nature allows.
   * @throws Unreachable, UnclearAnswer, TimedOut, ConnectionLost, UnexpectedAnswer or Canceled; NotSent for a write that is
   * based on a read which is too old.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes the connections after the requests in progress have ended. */
  close(): Promise<void>;
}

/** Creates a client. It loads, reads and connects nothing before the first request. */
export function createClient(options: ClientOptions): Client {
  const settings = withDefaults(options);
  const gate = new Gate(settings.runtime, settings.maxConnections);
  const sender = new Sender(settings);
  return {
    send: async (request) => new RetryLoop(request, settings, gate, sender).answer(),
    close: () => sender.close(),
  };
}

/** The time budget of a request without a deadline, in milliseconds. */
const DEFAULT_BUDGET_MS = 120_000;

/** What one attempt resulted in. */
type Outcome = HttpResponse | ServiceError;

/** Sends a request, with the retries that its nature and the responses allow, within its time budget. */
class RetryLoop {
  readonly #redactor: Redactor;
  readonly #attempts: Attempts;
  readonly #timeBudget: TimeBudget;
  /** When the current wait started: at the call, or at the end of the last attempt. */
  #since: number;

  constructor(
    private readonly request: HttpRequest,
    private readonly settings: CompleteOptions,
    private readonly gate: Gate,
    private readonly sender: Sender,
  ) {
    const { headers = {}, secrets = [], deadline, grace, signal } = request;
    const { runtime, redactor } = settings;
    const now = runtime.now();
    const isOpen = deadline === undefined || grace !== undefined;
    this.#timeBudget = new TimeBudget(runtime, isOpen ? DEFAULT_BUDGET_MS : deadline - now, signal);
    this.#since = now;
    this.#attempts = request.attempts ?? new Attempts(now);
    this.#redactor = new Redactor(redactor, secrets, secretsInHeaders(headers));
  }

  /** @throws ServiceError or NotSent, as {@link Client.send} does */
  async answer(): Promise<HttpResponse> {
    try {
      const outcome = await this.#lastOutcome();
      if (outcome instanceof ServiceError) throw outcome;
      return outcome;
    } finally {
      this.#timeBudget.close();
    }
  }

  async #lastOutcome(): Promise<Outcome> {
    const { gate } = this;
    const { runtime } = this.settings;
    const { freshUntil, grace } = this.request;
    let last: Outcome | undefined;
    for (;;) {
      const leave = await gate.enter(this.#timeBudget, this.#priority());
      if (leave === undefined) return this.#withoutAnotherTry(last);
      if (grace !== undefined && this.#attempts.count === 0) this.#timeBudget.renew(grace);
      if (isLate(this.request, runtime.now())) {
        leave();
        throw new NotSent();
      }
      let wait: number | undefined;
      try {
        // After a 429 the request keeps its slot, so that it is the first to be sent again. A write based on a read releases
        // its slot: the next read waits until the rate limit is over.
        do {
          this.#attempts.count += 1;
          last = await this.#send();
          wait = this.#waitAfter(last);
          if (isRateLimit(last)) gate.closeFor(wait ?? delayAfter(last, this.#attempts.count, runtime));
          else if (!(last instanceof ServiceError)) {
            gate.countThrough();
            gate.closeFor(restOfTime(last, runtime.now()));
          }
          if (wait === undefined || wait > this.#timeBudget.remaining) return last;
        } while (
          isRateLimit(last) &&
          freshUntil === undefined &&
          (await gate.waitUntilOpen(this.#timeBudget))
        );
      } finally {
        leave();
      }
      if (!isRateLimit(last)) await this.#timeBudget.sleep(wait);
      if (freshUntil !== undefined && this.#timeBudget.ending === undefined) throw new NotSent(last);
    }
  }

  #priority(): QueuePriority {
    if (this.request.grace !== undefined) return "after a write";
    if (this.#attempts.count > 0) return "again";
    return this.request.followsRead ? "after a read" : "first";
  }

  async #send(): Promise<Outcome> {
    const { log, runtime } = this.settings;
    const attempt = this.#attempt();
    const sentAt = runtime.now();
    const outcome = await this.#outcomeOf(attempt);
    const endedAt = runtime.now();
    log?.(attemptLine(attempt, outcome, this.settings, [this.#since, sentAt, endedAt]));
    this.#since = endedAt;
    return outcome;
  }

  #attempt(): Attempt {
    const { id, count: number } = this.#attempts;
    const span = newSpan(this.request.label.trace ?? traceIn(this.settings.env));
    return { request: this.request, number, id, span, redactor: this.#redactor };
  }

  async #outcomeOf(attempt: Attempt): Promise<Outcome> {
    const { sender, request } = this;
    try {
      const answer = await sender.attempt(attempt, this.#timeBudget.signal);
      const unexpected = describeUnexpected(answer, request);
      return unexpected === undefined ? answer : sender.errorOf(attempt, "unexpectedAnswer", unexpected);
    } catch (error) {
      if (!(error instanceof ExchangeFailure)) throw error;
      return sender.failureOf(attempt, error);
    }
  }

  /** Milliseconds until the next attempt; undefined if the request is not retried. */
  #waitAfter(outcome: Outcome): number | undefined {
    const { maxRetries, runtime } = this.settings;
    const { nature, repeatWhile } = this.request;
    const delay = () => delayAfter(outcome, this.#attempts.count, runtime);
    if (!(outcome instanceof ServiceError) && repeatWhile?.(outcome)) return delay();
    const isOver = outcome instanceof TimedOut && this.#timeBudget.ending !== undefined;
    if (isOver || !isRepeatable(nature, outcome)) return undefined;
    const isContention = maxRetries > 0 && isRateLimit(outcome) && this.#othersGotThrough();
    if (!isContention && this.#attempts.retries >= maxRetries) return undefined;
    if (!isContention) this.#attempts.retries += 1;
    return delay();
  }

  /** True if the server has accepted any request since it last rejected this one. */
  #othersGotThrough(): boolean {
    const before = this.#attempts.acceptedBefore;
    this.#attempts.acceptedBefore = this.gate.through;
    return before > 0 && this.#attempts.acceptedBefore > before;
  }

  /** The outcome to report if the time budget ends, or would end, before another attempt. */
  #withoutAnotherTry(last: Outcome | undefined): Outcome {
    const { ending } = this.#timeBudget;
    if (ending !== "canceled" && last !== undefined) return last;
    const code = ending === undefined ? RATE_LIMIT : undefined;
    const failure = new ExchangeFailure(ending ?? "deadline", false, code);
    return this.sender.failureOf(this.#attempt(), failure);
  }
}

function isRateLimit(outcome: Outcome): outcome is HttpResponse {
  return !(outcome instanceof ServiceError) && outcome.status === 429;
}

import { Redactor } from "../../../packages/redact";
import { unexpectedIn } from "./describe";
import { RATE_LIMIT } from "./describeFailure";
import { ServiceError } from "./errors";
import { ExchangeFailure } from "./exchange";
import { Gate, type QueuePriority, TimeBudget } from "./gate";
import { type ClientOptions, type CompleteOptions, withDefaults } from "./options";
import { Attempts, type HttpAnswer, type HttpRequest } from "./request";
import { type Attempt, attemptLine, spanIn, traceIn } from "./requestLog";
import {
  askedWait,
  backoff,
  isLate,
  NotSent,
  repeatsAnswer,
  repeatsFailure,
  restOfTime,
  SPREAD,
} from "./retry";
import { Sender, secretsInHeaders } from "./sender";

/** An HTTP client for one service. */
export interface Client {
  /**
   * Sends a request and returns the response of any status, after the retries that its nature allows.
   * @throws Unreachable, UnclearAnswer, TimedOut, ConnectionLost, UnexpectedAnswer or Cancelled; NotSent for a write that is
   * based on a read which is too old.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes the connections after the requests in progress have ended. */
  close(): Promise<void>;
}

/** Creates a client. It loads, reads and connects nothing before the first request. */
export function createClient(options: ClientOptions): Client {
  const settings = withDefaults(options);
  const shared = {
    settings,
    gate: new Gate(settings.runtime, settings.maxConnections),
    sender: new Sender(settings),
  };
  return {
    async send(request) {
      const { runtime } = settings;
      const isOpen = request.deadline === undefined || request.grace !== undefined;
      const budget = isOpen ? DEFAULT_BUDGET_MS : request.deadline - runtime.now();
      const timeBudget = new TimeBudget(runtime, budget, request.signal);
      try {
        return await new RetryLoop(request, shared, timeBudget).answer();
      } finally {
        timeBudget.close();
      }
    },
    close: () => shared.sender.close(),
  };
}

/** The time budget of a request without a deadline, in milliseconds. */
const DEFAULT_BUDGET_MS = 120_000;

/** What the requests of one client share. */
interface Shared {
  readonly settings: CompleteOptions;
  readonly gate: Gate;
  readonly sender: Sender;
}

/** The result of one attempt. */
interface Result {
  readonly outcome: HttpAnswer | ServiceError;
  /** True if the request may be sent again after it. */
  readonly isRepeatable: boolean;
}

/** Sends a request, with the retries that its nature and the responses allow, within its time budget. */
class RetryLoop {
  readonly #settings: CompleteOptions;
  readonly #redactor: Redactor;
  readonly #attempts: Attempts;
  /** When the current wait started: at the call, or at the end of the last attempt. */
  #since: number;

  constructor(
    private readonly request: HttpRequest,
    private readonly shared: Shared,
    private readonly timeBudget: TimeBudget,
  ) {
    const { headers = {}, secrets = [] } = request;
    this.#settings = shared.settings;
    this.#since = this.#settings.runtime.now();
    this.#attempts = request.attempts ?? new Attempts(this.#since);
    this.#redactor = new Redactor(this.#settings.redactor, secrets, secretsInHeaders(headers));
  }

  async answer(): Promise<HttpAnswer> {
    const { gate } = this.shared;
    const { runtime } = this.#settings;
    const { freshUntil, grace } = this.request;
    let last: Result["outcome"] | undefined;
    for (;;) {
      const leave = await gate.enter(this.timeBudget, this.#priority());
      if (leave === undefined) return answerIn(this.#withoutAnotherTry(last));
      if (grace !== undefined && this.#attempts.count === 0) this.timeBudget.renew(grace);
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
          const result = await this.#send();
          last = result.outcome;
          wait = this.#waitAfter(result);
          if (isRateLimit(last)) gate.closeFor(wait ?? this.#delay(last));
          else if (!(last instanceof ServiceError)) {
            gate.countThrough();
            gate.closeFor(restOfTime(last, runtime.now()));
          }
          if (wait === undefined || wait > this.timeBudget.remaining) return answerIn(last);
        } while (
          isRateLimit(last) &&
          freshUntil === undefined &&
          (await gate.waitUntilOpen(this.timeBudget))
        );
      } finally {
        leave();
      }
      if (!isRateLimit(last)) await this.timeBudget.sleep(wait);
      if (freshUntil !== undefined && this.timeBudget.ending === undefined) throw new NotSent(last);
    }
  }

  #priority(): QueuePriority {
    if (this.request.grace !== undefined) return "after a write";
    if (this.#attempts.count > 0) return "again";
    return this.request.followsRead ? "after a read" : "first";
  }

  async #send(): Promise<Result> {
    const { log, runtime } = this.#settings;
    const attempt = this.#attempt();
    const sentAt = runtime.now();
    const result = await this.#resultOf(attempt);
    const endedAt = runtime.now();
    log?.(attemptLine(attempt, result.outcome, this.#settings, [this.#since, sentAt, endedAt]));
    this.#since = endedAt;
    return result;
  }

  #attempt(): Attempt {
    const { id, count } = this.#attempts;
    const trace = this.request.label.trace ?? traceIn(this.#settings.env);
    return {
      request: this.request,
      number: count,
      id,
      span: trace && spanIn(trace),
      redactor: this.#redactor,
    };
  }

  async #resultOf(attempt: Attempt): Promise<Result> {
    const { sender } = this.shared;
    const { nature } = this.request;
    try {
      const answer = await sender.attempt(attempt, this.timeBudget.signal);
      const unexpected = unexpectedIn(answer, this.request);
      if (unexpected === undefined) return { outcome: answer, isRepeatable: repeatsAnswer(nature, answer) };
      const { status, ids } = answer;
      const outcome = nature === "read" ? "notApplied" : "unknown";
      const facts = { status, ids, outcome, ...unexpected } as const;
      return { outcome: sender.errorOf(attempt, "unexpectedAnswer", facts), isRepeatable: false };
    } catch (error) {
      if (!(error instanceof ExchangeFailure)) throw error;
      return { outcome: sender.failureOf(attempt, error), isRepeatable: repeatsFailure(nature, error) };
    }
  }

  /** Milliseconds until the next attempt; undefined if the request is not retried. */
  #waitAfter({ outcome, isRepeatable }: Result): number | undefined {
    const repeatsWait = !(outcome instanceof ServiceError) && this.request.repeatWhile?.(outcome);
    if (repeatsWait) return this.#delay(outcome);
    const { maxRetries } = this.#settings;
    if (isRepeatable && maxRetries > 0 && isRateLimit(outcome) && this.#othersGotThrough())
      return this.#delay(outcome);
    if (!isRepeatable || this.#attempts.retries >= maxRetries) return undefined;
    this.#attempts.retries += 1;
    return this.#delay(outcome);
  }

  /** True if the server has accepted any request since it last rejected this one. */
  #othersGotThrough(): boolean {
    const before = this.#attempts.acceptedBefore;
    this.#attempts.acceptedBefore = this.shared.gate.through;
    return before > 0 && this.#attempts.acceptedBefore > before;
  }

  #delay(outcome: Result["outcome"]): number {
    const { runtime } = this.#settings;
    const asked = outcome instanceof ServiceError ? undefined : askedWait(outcome, runtime.now());
    return asked === undefined
      ? backoff(this.#attempts.count, runtime.random())
      : asked + runtime.random() * SPREAD;
  }

  /** The outcome to report if the time budget ends, or would end, before another attempt. */
  #withoutAnotherTry(last: Result["outcome"] | undefined): Result["outcome"] {
    const { ending } = this.timeBudget;
    if (ending !== "cancelled" && last !== undefined) return last;
    const code = ending === undefined ? RATE_LIMIT : undefined;
    const failure = new ExchangeFailure(ending ?? "deadline", false, code);
    return this.shared.sender.failureOf(this.#attempt(), failure);
  }
}

/** @throws ServiceError if the outcome is one */
function answerIn(outcome: Result["outcome"]): HttpAnswer {
  if (outcome instanceof ServiceError) throw outcome;
  return outcome;
}

function isRateLimit(outcome: Result["outcome"]): outcome is HttpAnswer {
  return !(outcome instanceof ServiceError) && outcome.status === 429;
}

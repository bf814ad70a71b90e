import { Redactor } from "../../../packages/redact";
import { unexpectedIn } from "./answerErrors";
import { attemptLine } from "./attemptLine";
import { Attempts, isLate } from "./attempts";
import { type ServiceError, serviceError } from "./errors";
import { explain, RATE_LIMIT } from "./explain";
import { ExchangeFailure } from "./failure";
import type { Gate, QueuePriority } from "./gate";
import { NotSent } from "./notSent";
import type { CompleteOptions } from "./options";
import type { HttpAnswer, HttpRequest } from "./request";
import { askedWait, backoff, repeatsAnswer, repeatsFailure, restOfTime, SPREAD } from "./retry";
import { headerSecrets, isSecretHeader } from "./secretHeaders";
import type { Attempt, Sender } from "./sender";
import { TimeBudget } from "./timeBudget";
import { presentableWords } from "./words";

/** What the calls of one client share. */
export interface Shared {
  readonly settings: CompleteOptions;
  readonly gate: Gate;
  readonly sender: Sender;
}

/** The outcome of one attempt. */
type AttemptOutcome = HttpAnswer | ExchangeFailure | ServiceError;

/** The time budget of a request without a deadline, in milliseconds. */
const DEFAULT_BUDGET_MS = 120_000;

/** Sends a request, with the retries that its nature and the responses allow, within its deadline. */
export async function sendWithRetries(request: HttpRequest, shared: Shared): Promise<HttpAnswer> {
  const { runtime } = shared.settings;
  const isOpen = request.deadline === undefined || request.grace !== undefined;
  const budget = isOpen ? DEFAULT_BUDGET_MS : request.deadline - runtime.now();
  const timeBudget = new TimeBudget(runtime, budget, request.signal);
  try {
    return await new RetryLoop(request, shared, timeBudget).answer();
  } finally {
    timeBudget.close();
  }
}

class RetryLoop {
  readonly #redactor: Redactor;
  readonly #attempts: Attempts;
  /** When the current wait started: at the call, or at the end of the last attempt. */
  #since: number;

  constructor(
    private readonly request: HttpRequest,
    private readonly shared: Shared,
    private readonly timeBudget: TimeBudget,
  ) {
    const ownHeaders = Object.entries(request.headers ?? {}).filter(([name]) => isSecretHeader(name));
    this.#since = shared.settings.runtime.now();
    this.#attempts = request.attempts ?? new Attempts(this.#since);
    this.#redactor = new Redactor(
      shared.sender.redactor,
      request.secrets ?? [],
      ownHeaders.flatMap(([, values]) => [values].flat().flatMap(headerSecrets)),
    );
  }

  async answer(): Promise<HttpAnswer> {
    const { gate } = this.shared;
    const isBasedOnRead = this.request.freshUntil !== undefined;
    let last: AttemptOutcome | undefined;
    for (;;) {
      const leave = await gate.enter(this.timeBudget, this.#turn());
      if (leave === undefined) return this.#result(this.#withoutAnotherTry(last));
      const { grace } = this.request;
      if (grace !== undefined && this.#attempts.count === 0) this.timeBudget.renew(grace);
      if (isLate(this.request, this.shared.settings.runtime.now())) {
        leave();
        throw new NotSent();
      }
      let wait: number | undefined;
      try {
        // After a 429 the request keeps its slot, so that it is the first to be sent again. A write based on a read releases
        // its slot: the next read waits until the rate limit is over.
        do {
          this.#attempts.count += 1;
          last = await this.#attempt();
          wait = this.#waitAfter(last);
          if (isRateLimit(last)) gate.closeFor(wait ?? this.#delay(last));
          else if (isAnswer(last)) {
            gate.countThrough();
            gate.closeFor(restOfTime(last, this.shared.settings.runtime.now()));
          }
          if (wait === undefined || wait > this.timeBudget.remaining) return this.#result(last);
        } while (isRateLimit(last) && !isBasedOnRead && (await gate.waitUntilOpen(this.timeBudget)));
      } finally {
        leave();
      }
      if (!isRateLimit(last)) await this.timeBudget.sleep(wait);
      if (isBasedOnRead && this.timeBudget.ending === undefined)
        throw new NotSent(isAnswer(last) ? last : this.#errorOf(last));
    }
  }

  #turn(): QueuePriority {
    if (this.request.grace !== undefined) return "after a write";
    if (this.#attempts.count > 0) return "again";
    return this.request.followsRead ? "after a read" : "first";
  }

  async #attempt(): Promise<AttemptOutcome> {
    const { request } = this;
    const attempt: Attempt = {
      request,
      number: this.#attempts.count,
      id: this.#attempts.id,
      span: this.shared.sender.spanOf(request),
      timeBudget: this.timeBudget,
      redactor: this.#redactor,
    };
    const { log, runtime } = this.shared.settings;
    const sentAt = runtime.now();
    const outcome = await this.#sent(attempt);
    const endedAt = runtime.now();
    log?.(attemptLine(attempt, outcome, this.shared.settings, { waitedSince: this.#since, sentAt, endedAt }));
    this.#since = endedAt;
    return outcome;
  }

  async #sent(attempt: Attempt): Promise<AttemptOutcome> {
    const { request } = this;
    try {
      const answer = await this.shared.sender.attempt(attempt);
      const unexpected = unexpectedIn(answer, request);
      if (unexpected === undefined) return answer;
      const { status, ids } = answer;
      return this.#error({ kind: "unexpectedAnswer", status, ids, ...unexpected });
    } catch (error) {
      if (error instanceof ExchangeFailure) return error;
      throw error;
    }
  }

  /** Milliseconds until the next attempt; undefined if the request is not retried. */
  #waitAfter(outcome: AttemptOutcome): number | undefined {
    const { request } = this;
    if (isAnswer(outcome) && request.repeatWhile?.(outcome)) return this.#delay(outcome);
    const { nature } = request;
    const repeats = isAnswer(outcome)
      ? repeatsAnswer(nature, outcome)
      : outcome instanceof ExchangeFailure && repeatsFailure(nature, outcome);
    const { maxRetries } = this.shared.settings;
    if (repeats && maxRetries > 0 && isRateLimit(outcome) && this.#othersGotThrough())
      return this.#delay(outcome);
    if (!repeats || this.#attempts.retries >= maxRetries) return undefined;
    this.#attempts.retries += 1;
    return this.#delay(outcome);
  }

  /** True if the server has accepted any request since it last rejected this one. */
  #othersGotThrough(): boolean {
    const before = this.#attempts.acceptedBefore;
    this.#attempts.acceptedBefore = this.shared.gate.through;
    return before > 0 && this.#attempts.acceptedBefore > before;
  }

  #delay(outcome: AttemptOutcome): number {
    const { runtime } = this.shared.settings;
    const asked = isAnswer(outcome) ? askedWait(outcome, runtime.now()) : undefined;
    return asked === undefined
      ? backoff(this.#attempts.count, runtime.random())
      : asked + runtime.random() * SPREAD;
  }

  /** The outcome to report if the time budget ends, or would end, before another attempt. */
  #withoutAnotherTry(last: AttemptOutcome | undefined): AttemptOutcome {
    const { ending } = this.timeBudget;
    if (ending === "cancelled" || last === undefined) {
      return new ExchangeFailure(ending ?? "deadline", false, ending === undefined ? RATE_LIMIT : undefined);
    }
    return last;
  }

  #result(outcome: AttemptOutcome): HttpAnswer {
    if (isAnswer(outcome)) return outcome;
    throw this.#errorOf(outcome);
  }

  #errorOf(outcome: ExchangeFailure | ServiceError): ServiceError {
    if (!(outcome instanceof ExchangeFailure)) return outcome;
    const { maxResponseBytes, timeoutMs: usual } = this.shared.settings;
    const { timeoutMs = usual } = this.request;
    const code = outcome.code === undefined ? {} : { code: outcome.code };
    return this.#error({
      ...explain(this.request.nature, outcome, {
        ...this.shared.sender.way(this.request),
        timeoutMs,
        maxResponseBytes,
      }),
      ...code,
    });
  }

  #error({ kind, event, words = "", advice, ...rest }: ErrorText): ServiceError {
    const { method, path, nature } = this.request;
    const mask = (text: string) => this.#redactor.mask(text);
    return serviceError(kind, {
      service: this.shared.settings.service,
      method,
      path: mask(path),
      attempts: this.#attempts.count,
      ids: { own: this.#attempts.id },
      unclear: nature !== "read",
      event: presentableWords(mask(event)),
      words: presentableWords(mask(words)),
      advice: mask(advice),
      ...rest,
    });
  }
}

type ErrorText = Pick<
  Parameters<typeof serviceError>[1],
  "event" | "words" | "advice" | "status" | "code" | "ids"
> & {
  readonly kind: Parameters<typeof serviceError>[0];
  readonly unclear?: boolean;
  readonly mayStillHappen?: boolean;
};

function isAnswer(outcome: AttemptOutcome): outcome is HttpAnswer {
  return !(outcome instanceof Error);
}

function isRateLimit(outcome: AttemptOutcome): boolean {
  return isAnswer(outcome) && outcome.status === 429;
}

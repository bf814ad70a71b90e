import type { StubClock } from "../clock";
import type { StubResponse } from "../service";
import { type Answer, encode } from "./answer";
import type { Delivery, Sent } from "./delivery";
import { formatExactly } from "./exact-json";
import type { Due, Mishap } from "./fault-book";
import { quoteStrings } from "./quoting";
import type { LogEntry } from "./request-log";
import type { Asked, ServiceDoor } from "./service-door";

/** One request in progress on a mock server. */
export interface Passage {
  readonly asked: Omit<Asked, "signal" | "stale">;
  readonly mishap: Mishap;
  readonly entry: LogEntry;
  readonly delivery: Delivery;
  readonly door: ServiceDoor;
  readonly clock: StubClock;
  /** Aborted when the mock server stops. */
  readonly stopping: AbortSignal;
}

/** Passes a request to its service and the response to its caller, with all faults in between. */
export async function handle(passage: Passage): Promise<Sent> {
  const { mishap, entry, delivery, clock, stopping } = passage;
  entry.faults = [mishap.edit, mishap.delay, mishap.stale, mishap.answer].flatMap(
    (due) => due?.fault.kind ?? [],
  );
  const delay = mishap.delay?.fault;
  // The delay starts at the arrival, so that a caller that sees the request in the log can advance the clock past it.
  const until = entry.time + (delay?.milliseconds ?? 0);
  if (delay?.before === "service") await clock.until(until, stopping);
  const answer = await answerTo(passage);
  if (delay?.before === "answer") await clock.until(until, delivery.signal);
  return answer === undefined ? delivery.reset() : deliver(answer, passage);
}

/**
 * Returns the response to send, after the service has handled the request if the fault allows that; undefined to send
 * nothing.
 */
async function answerTo(passage: Passage): Promise<Answer | undefined> {
  const { mishap, door, delivery } = passage;
  if (mishap.edit !== undefined) await edit(mishap.edit, door, delivery.signal);
  const due = mishap.answer;
  switch (due?.fault.kind) {
    case "lostRequest":
      return undefined;
    case "lostResponse":
      await act(passage);
      return undefined;
    case "kill":
      if (due.fault.acts) await act(passage);
      kill(due.fault.pid, due);
      return undefined;
    case "status": {
      if (due.fault.acts) await act(passage);
      const { status, headers, body } = due.fault;
      return encodeResponse({ status, headers, body }, passage);
    }
    case "quote": {
      const { status, spellings, from, length } = due.fault;
      const words = quoteStrings(passage.asked.body, spellings).slice(from);
      return encodeResponse({ status, body: `cannot take ${words.slice(0, length)}` }, passage);
    }
    case "html":
      return encodeResponse({ status: 200, headers: HTML, body: due.fault.body }, passage);
    default:
      return encodeResponse(await act(passage), passage);
  }
}

/** The service handles the request. */
async function act({ asked, mishap, entry, delivery, door }: Passage): Promise<StubResponse> {
  entry.reached = true;
  const { response, exception } = await door.ask({
    ...asked,
    signal: delivery.signal,
    stale: mishap.stale !== undefined,
  });
  entry.serviceStatus = response.status;
  entry.exception = exception;
  return response;
}

async function edit(due: NonNullable<Mishap["edit"]>, door: ServiceDoor, signal: AbortSignal): Promise<void> {
  for (const { method, path: target, headers, body } of due.fault.requests) {
    const [path = "", query = ""] = target.split(/\?(.*)/s);
    const text = body === undefined ? "" : typeof body === "string" ? body : formatExactly(body);
    const { response } = await door.ask({
      method,
      path,
      query: new URLSearchParams(query),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: Buffer.from(text),
      signal,
      stale: false,
    });
    if (response.status >= 300) {
      due.recordFailure(
        `${method} ${target} was answered ${response.status}: ${formatExactly(response.body ?? "")}`,
      );
    }
  }
}

async function deliver(answer: Answer, { mishap, entry, delivery, clock }: Passage): Promise<Sent> {
  const fault = mishap.answer?.fault;
  entry.status = answer.status;
  if (fault?.kind === "tornBody") return delivery.sendHalf(answer);
  if (fault?.kind === "slowDrip") return delivery.slowly(answer, fault.milliseconds, clock);
  return delivery.whole(answer);
}

function encodeResponse(response: StubResponse, { asked, door }: Passage): Promise<Answer> {
  const accepted = asked.headers["accept-encoding"];
  return encode(response, typeof accepted === "string" ? accepted : undefined, door.compressesFrom);
}

function kill(pid: number, due: Due): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    due.recordFailure(
      `process ${pid} could not be killed: ${error instanceof Error ? error.message : error}`,
    );
  }
}

const HTML = { "content-type": "text/html; charset=utf-8" };

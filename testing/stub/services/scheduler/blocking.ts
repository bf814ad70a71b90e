import type { StubRequest } from "../../service";
import { invalid } from "./errors";

/** The row "Blocking queries": past which index, and until when, a query waits. */
export interface BlockingQuery {
  readonly index: number;
  /** By the stub's clock. */
  readonly until: number;
}

const MINUTE = 60_000;
const DEFAULT_WAIT = 5 * MINUTE;
const GREATEST_WAIT = 10 * MINUTE;

/** Undefined for a query that does not wait: without an index, and with index 0. `random` is in [0, 1). */
export function readBlockingQuery(request: StubRequest, random: () => number): BlockingQuery | undefined {
  const waitText = request.query.get("wait") ?? "";
  const indexText = request.query.get("index") ?? "";
  const asked = waitText === "" ? 0 : parseDuration(waitText);
  if (!/^\d*$/.test(indexText)) throw invalid("Invalid index");
  const index = Number(indexText);
  if (index === 0) return undefined;
  const wait = asked <= 0 ? DEFAULT_WAIT : Math.min(asked, GREATEST_WAIT);
  return { index, until: request.clock.now() + wait + Math.floor((random() * wait) / 16) };
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: MINUTE,
  h: 60 * MINUTE,
};

/** Milliseconds of a duration such as `10s`, `5m` or `1m30s`. */
function parseDuration(text: string): number {
  const parts = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+|0)$/.exec(text);
  if (parts === null) throw invalid("Invalid wait time");
  const amounts = [...(parts[2] ?? "").matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  const total = amounts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
  return parts[1] === "-" ? -total : total;
}
